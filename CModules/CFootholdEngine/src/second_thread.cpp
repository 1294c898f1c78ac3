#include "second_thread.h"

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
        changed_.wait(lock, [this] { return share_ != nullptr || is_ending_; });
        if (share_ == nullptr) return;
        lock.unlock();
        std::exception_ptr failure;
        try {
            (*share_)(1);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        failure_ = failure;
        share_ = nullptr;
        changed_.notify_all();
    }
}

void SecondThread::both(const std::function<void(int)> &share) {
    {
        const std::lock_guard lock(mutex_);
        share_ = &share;
    }
    changed_.notify_all();
    std::exception_ptr own_failure;
    try {
        share(0);
    } catch (...) {
        own_failure = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return share_ == nullptr; });
    const std::exception_ptr others_failure = std::exchange(failure_, nullptr);
    if (own_failure) std::rethrow_exception(own_failure);
    if (others_failure) std::rethrow_exception(others_failure);
}

}  // namespace foothold
