# Sets rexcc_EXECUTABLE: the rexcc that these files belong to, installed or in a checkout, else one on PATH.
find_program(rexcc_EXECUTABLE rexcc
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../.venv/bin"
  DOC "The compiler rexcc" NO_CMAKE_FIND_ROOT_PATH)
