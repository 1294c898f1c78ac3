import ArgumentParser

@main
struct FootholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "foothold", abstract: "Finds where things can stand.")
}
