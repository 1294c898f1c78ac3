import Foundation

/// What every command needs of the process before it begins.
enum Startup {
    static func prepare() {
        // Without this a file or a camera would be opened in the place of a standard stream that was closed, and be
        // written or read as that.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        // A file that may not grow any more is to be told like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // Swift's runtime takes it for a crash, tells where every thread is, and goes on.
        signal(SIGQUIT, SIG_DFL)
    }
}
