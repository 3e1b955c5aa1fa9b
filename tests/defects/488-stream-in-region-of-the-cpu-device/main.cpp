#include <iostream>
int main() {
  int r = 3, is_new = 0;
#pragma omp target map(tofrom : r)
  {
    std::cout << "x" << r << std::endl;
    is_new = std::new_handler() == nullptr;
    r = is_new;
  }
  std::cout << r << std::endl;
}
