# A project that rexcc compiles as a whole: cmake --toolchain .../share/cmake/rexcc/toolchain.cmake
include("${CMAKE_CURRENT_LIST_DIR}/FindProgram.cmake")
if(NOT rexcc_EXECUTABLE)
  message(FATAL_ERROR "the command rexcc is neither beside ${CMAKE_CURRENT_LIST_DIR} nor on PATH")
endif()
set(CMAKE_C_COMPILER "${rexcc_EXECUTABLE}")
set(CMAKE_CXX_COMPILER "${rexcc_EXECUTABLE}")
