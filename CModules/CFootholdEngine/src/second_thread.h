// A second thread that takes a share of a piece of work.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace foothold {

/// Its thread lasts as long as it does. For one caller.
class SecondThread {
public:
    SecondThread();
    ~SecondThread();
    SecondThread(const SecondThread &) = delete;
    SecondThread &operator=(const SecondThread &) = delete;

    /// Calls `share(0)` on this thread and `share(1)` on the other, and returns when both are done. What one of them
    /// throws is thrown then.
    void both(const std::function<void(int)> &share);

private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    /// What the other thread has to do; null when it's done.
    const std::function<void(int)> *share_ = nullptr;
    std::exception_ptr failure_;
    bool is_ending_ = false;
    std::thread thread_;
};

/// Calls `rows(first, step)` for rows from `first` on, `step` apart: all of them, or where there's a second thread
/// every other one on each.
template <typename Rows>
void share_rows(SecondThread *second, const Rows &rows) {
    if (second == nullptr) {
        rows(0, 1);
    } else {
        second->both([&rows](int thread) { rows(thread, 2); });
    }
}

}  // namespace foothold
