#pragma once
void *get(unsigned long bytes, unsigned long by);
namespace data {
template <class T> T *made(int n, unsigned long by) { return static_cast<T *>(get(n * sizeof(T), by)); }
} // namespace data
namespace detail {
void fill(int &value);
void fill(double &value);
} // namespace detail
class base {
public:
  unsigned long aligned() const;
  template <class T> void make(T *&p, int n) { p = data::made<T>(n, aligned()); }
  template <class T> void fill(T &value) { detail::fill(value); }
  void record();
  void stop() { record(); }
  int seen = 0;
};
