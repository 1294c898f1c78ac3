// A list that grows without ever moving what it holds.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace foothold {

/// For what grows all through a long recording: a vector that doubles holds up to three times as much while it grows.
template <typename T, size_t kChunk = 65536>
class ChunkedList {
public:
    ChunkedList() = default;
    /// What is moved from is empty.
    ChunkedList(ChunkedList &&other) noexcept
        : chunks_(std::move(other.chunks_)), size_(std::exchange(other.size_, 0)) {}
    ChunkedList &operator=(ChunkedList &&other) noexcept {
        chunks_ = std::move(other.chunks_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }

    size_t size() const { return size_; }
    T &operator[](size_t index) { return chunks_[index / kChunk][index % kChunk]; }
    const T &operator[](size_t index) const { return chunks_[index / kChunk][index % kChunk]; }

    void push_back(const T &value) {
        if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<T[]>(kChunk));
        (*this)[size_++] = value;
    }

    void clear() {
        chunks_.clear();
        size_ = 0;
    }

private:
    std::vector<std::unique_ptr<T[]>> chunks_;
    size_t size_ = 0;
};

}  // namespace foothold
