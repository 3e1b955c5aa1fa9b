# Stands for a compiler in tests that build programs: $compiler is its path, $name its name, $folder is for what is made
# once, $include has the headers of the run-time. It compiles the runtime helper without optimisation, and equal
# commands once; images of the CPU device with precompiled headers, which are three quarters of the work; and does all
# else as it is asked to.
shopt -s extglob

# Run a command that makes a file, unless another has made it; who is first makes it, the others wait.
once() {
  local made=$1 status=0
  shift
  exec 9> "$made.lock"
  flock 9
  [ -e "$made" ] || { "$@" -o "$made.new" && mv "$made.new" "$made"; } || status=1
  exec 9>&-
  return $status
}

helper() {
  local words=() output=register_cubin.o option= word kept
  for word in "$@"; do
    case $option$word in
      -o) option=output= ;;
      output=*) output=$word option= ;;
      -O2) words+=(-O0) ;;
      *) words+=("$word") ;;
    esac
  done
  output=${output#output=}
  kept=$folder/$(printf '%s\0' "${words[@]##*/}" | sha256sum | head -c 32)-$name.o
  once "$kept" "$compiler" "${words[@]}" && cp "$kept" "$output"
}

# Read what an image's files begin with, as far as those of many programs begin so, into `head`. A comment or the name of
# a kernel says nothing to headers.
read_head() {
  local line
  while IFS= read -r line; do
    case $line in
      '/*'*'*/' | '#define OUT__'*) ;;
      '#include "rex_lib_'*) line=${line#*\"} && read_head "${1%"${1##*/}"}${line%\"}" && return ;;
      '#include "rex_'+([a-z_])'.h"' | '#define REX_SOURCE_IS_C' | '#define REX_LINKED_UNITS') head+=("$line") ;;
      *) return ;;
    esac
  done < "$1"
}

# Compile an image with its headers precompiled, with the same flags; return where flags are a program's own.
image() {
  local flags=() head=() source= word kept linker=()
  for word in "$@"; do
    case $word in
      ?(*/)rex_host_*.cpp) source=$word && break ;;
      -shared) [[ $name == clang* ]] && type -P ld.lld-19 > /dev/null && linker=(-fuse-ld=lld) ;;
      -c | -Wl,* | -isystem | "$include") ;;
      -O?(?) | -std=+([a-z0-9+]) | -f+([A-Za-z0-9_=-]) | -g | -w | -pthread) flags+=("$word") ;;
      *) return ;;
    esac
  done
  [[ -r $source && " $* " == *" -isystem $include "* ]] || return
  read_head "$source"
  while [[ ${#head[@]} -gt 0 && ${head[-1]} != '#include'* ]]; do unset 'head[-1]'; done
  [ ${#head[@]} -gt 0 ] || return
  word="$name ${flags[*]} ${head[*]}"
  kept=$folder/${word//[^A-Za-z0-9=+-]/_}.h
  once "$kept" text "${head[@]}"
  [[ $name == clang* ]] && flags+=(-fpch-instantiate-templates)
  once "$kept.gch" "$compiler" "${flags[@]}" -isystem "$include" -x c++-header "$kept" 2> /dev/null || return
  [[ $name == clang* ]] && exec "$compiler" -include-pch "$kept.gch" "${linker[@]}" "$@"
  exec "$compiler" -include "$kept" "$@"
}

# Write lines to the file behind them and `-o`.
text() {
  printf '%s\n' "${@:1:$#-2}" > "${!#}"
}

case " $* " in
  *register_cubin.cpp*" -c "* | *" -c "*register_cubin.cpp*) helper "$@" && exit || exit 1 ;;
  *" -c "*rex_host_*.cpp* | *" -shared "*rex_host_*.cpp*) image "$@" ;;
esac
exec "$compiler" "$@"
