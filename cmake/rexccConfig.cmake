# find_package(rexcc) is for projects of which rexcc compiles some targets, and another compiler the others:
#
#   find_package(rexcc 0.1 REQUIRED)
#   rexcc_offload(solver app)    # targets with target regions, and the executables and libraries that they are linked to
#
# rexcc compiles and links these, with the project's compiler as its host compiler. It sets rexcc_EXECUTABLE too, and
# rexcc_TOOLCHAIN_FILE, by which rexcc compiles a whole project: cmake --toolchain FILE.
cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/FindProgram.cmake")
set(rexcc_TOOLCHAIN_FILE "${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake")
if(NOT rexcc_EXECUTABLE)
  set(rexcc_FOUND FALSE)
  set(rexcc_NOT_FOUND_MESSAGE "the command rexcc is neither beside ${CMAKE_CURRENT_LIST_DIR} nor on PATH")
endif()

function(rexcc_offload)
  if(NOT CMAKE_GENERATOR MATCHES "Makefiles|Ninja")
    message(FATAL_ERROR "rexcc_offload needs a generator of Makefiles or of Ninja's files, not ${CMAKE_GENERATOR}")
  endif()
  foreach(target IN LISTS ARGN)
    foreach(language C CXX)
      set_target_properties(${target} PROPERTIES
        ${language}_COMPILER_LAUNCHER "${rexcc_EXECUTABLE};--host-compiler"
        ${language}_LINKER_LAUNCHER "${rexcc_EXECUTABLE};--host-compiler")
    endforeach()
  endforeach()
endfunction()
