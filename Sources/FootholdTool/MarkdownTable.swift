/// A table that reads well on a terminal and is Markdown at the same time.
struct MarkdownTable {
    private let columns: [String]
    private var rows: [[String]] = []

    init(columns: [String]) { self.columns = columns }

    /// - Parameter row: one cell for each column.
    mutating func add(_ row: [String]) {
        precondition(row.count == columns.count, "one cell for each column")
        rows.append(row)
    }

    var text: String {
        let widths = columns.indices.map { index in
            ([columns] + rows).map { $0[index].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| \(padded.joined(separator: " | ")) |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        return ([line(columns), rule] + rows.map(line)).joined(separator: "\n")
    }
}
