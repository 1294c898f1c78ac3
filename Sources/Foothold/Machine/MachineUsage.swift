import Foundation

/// What this process has used of the machine.
public enum MachineUsage {
    /// The most memory that was resident at any time, bytes.
    public static var peakMemoryBytes: Int {
        var usage = rusage()
        getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
        // Linux counts in KiB.
        return Int(usage.ru_maxrss) * 1024
    }

    /// Seconds since the process was started by the system, loading of libraries included; to about 10 ms.
    public static var secondsSinceProcessStart: Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            // The name in brackets may hold blanks; what follows is counted from the third field.
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let uptime = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
        return uptime - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

/// A clock that only goes forward, in seconds from an arbitrary moment.
enum SteadyClock {
    static var nanoseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    static var seconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
