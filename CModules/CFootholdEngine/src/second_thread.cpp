#include "second_thread.h"

#include <array>
#include <exception>
#include <utility>

namespace foothold {

SecondThread::SecondThread() : thread_([this] { run(); }) {}

SecondThread::~SecondThread() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void SecondThread::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return !is_idle() || is_ending_; });
        if (is_ending_) return;
        lock.unlock();
        work_();
        lock.lock();
        work_ = nullptr;
        changed_.notify_all();
    }
}

void SecondThread::begin(std::function<void()> work) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_idle(); });
        work_ = std::move(work);
    }
    changed_.notify_all();
}

void SecondThread::both(const std::function<void(int)> &share) {
    std::array<std::exception_ptr, 2> failures;
    const auto take = [&](int thread) {
        try {
            share(thread);
        } catch (...) {
            failures[static_cast<size_t>(thread)] = std::current_exception();
        }
    };
    begin([&take] { take(1); });
    take(0);
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_idle(); });
    }
    for (const std::exception_ptr &failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

}  // namespace foothold
