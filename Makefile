# What one does with Foothold: `make help`.
SWIFT ?= swift
FOOTHOLD := .build/release/foothold
# Lines for crash reports and profiles; with all that templates could tell debuggers the engine takes a fifth longer to build.
LINES := -Xcc -gline-tables-only -Xcxx -gline-tables-only
OUT ?= out
# What the demo puts where: a mug (the built-in cylinder) on the desk, two seconds in.
DEMO_PLACE ?= cylinder@0.46,0.7@2

.DEFAULT_GOAL := help
.PHONY: help demo build test test-camera example evaluate bench sanitize neon format lint check packages need-swift

help: ## says what there is
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-11s %s\n", $$1, $$2 }'

demo: build ## runs the whole way on the sample clip and says where to look
	$(FOOTHOLD) process SampleVideos/desk --place $(DEMO_PLACE) --out $(OUT)/demo
	@echo "Look at $(OUT)/demo/annotated.mp4, and at the README for the other files."

build: packages need-swift ## builds the command, optimised
	$(SWIFT) build -c release $(LINES) --product foothold

test: check packages need-swift ## builds and runs all tests
	$(SWIFT) build -c release $(LINES) --build-tests
	$(SWIFT) test -c release --skip-build

test-camera: build ## tests the command on a real device node, in an emulated machine
	@Scripts/install-packages packages-camera.txt
	Scripts/test-camera $(CURDIR)/$(FOOTHOLD)

example: packages need-swift ## builds and runs the example that uses Foothold as a library
	$(SWIFT) run --package-path Examples/StandingBox StandingBox SampleVideos/desk

evaluate: build ## scores every sequence in the folder DATA, and writes the table to out/evaluation.md
	@test -n "$(DATA)" || { echo "Say which folder holds the sequences: make evaluate DATA=path/to/sequences"; exit 2; }
	@mkdir -p $(OUT)
	$(FOOTHOLD) evaluate $(DATA) > $(OUT)/evaluation.md.part
	@mv $(OUT)/evaluation.md.part $(OUT)/evaluation.md
	@cat $(OUT)/evaluation.md

bench: build ## measures the speed of the kernels and of the pipeline
	$(FOOTHOLD) bench kernels
	$(FOOTHOLD) bench pipeline

sanitize: packages need-swift ## runs the kernels' and the engine's tests with the address and undefined behaviour sanitizers
	SWIFT=$(SWIFT) Scripts/sanitize

neon: packages ## compiles the kernels for 64-bit ARM
	@Scripts/install-packages packages-dev.txt
	Scripts/check-neon

format: need-swift ## rewrites the sources in the house's style
	@Scripts/install-packages packages-dev.txt
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples/*/Package.swift Examples/*/Sources
	Scripts/c-sources | xargs clang-format -i

lint: check packages need-swift ## checks style and the C and C++ sources
	@Scripts/install-packages packages-dev.txt
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Examples/*/Package.swift Examples/*/Sources
	Scripts/c-sources | xargs clang-format --dry-run --Werror
	Scripts/lint-c

check: ## checks the house rules that need no compiler
	@Scripts/check-house

packages: ## installs the Debian packages that are missing
	@Scripts/install-packages packages.txt

need-swift:
	@command -v $(SWIFT) > /dev/null || \
		{ echo "Foothold needs Swift 6, and there is no '$(SWIFT)' here. Get it from https://www.swift.org/install/linux"; exit 1; }
	@why=$$($(SWIFT) --version 2>&1) || \
		{ echo "$$why"; echo "Swift doesn't start. The packages that it needs: https://www.swift.org/install/linux"; exit 1; }
