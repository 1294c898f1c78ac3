// A second thread beside the one that has it.
#pragma once

#include <condition_variable>
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

    /// Begins a piece of work on the other thread, once that is done with what it has. It must not throw; what isn't
    /// begun when this goes is left.
    void begin(std::function<void()> work);
    /// Calls `share(0)` on this thread and `share(1)` on the other, and returns when both are done. What one of them
    /// throws is thrown then.
    void both(const std::function<void(int)> &share);

private:
    void run();
    bool is_idle() const { return work_ == nullptr; }

    std::mutex mutex_;
    std::condition_variable changed_;
    /// What the other thread has to do; null when it's done.
    std::function<void()> work_;
    bool is_ending_ = false;
    std::thread thread_;
};

/// Calls `work(row)` for each row, the first ones first; where there's a second thread, for every other one on each.
template <typename Work>
void share_rows(SecondThread *second, int rows, const Work &work) {
    const auto take = [&](int first, int step) {
        for (int row = first; row < rows; row += step) work(row);
    };
    if (second == nullptr) {
        take(0, 1);
    } else {
        second->both([&](int thread) { take(thread, 2); });
    }
}

}  // namespace foothold
