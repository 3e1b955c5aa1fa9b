# Stands for a compiler in tests that build programs: $compiler is its path, $name its name, $folder is for what is made
# once, $include has the headers of the run-time. It compiles the runtime helper without optimisation, but the usual one
# by g++, with warnings and somewhat optimised, for programs of clang too, and equal commands once; it starts lld
# without clang, which takes longer to start than lld to link; it remembers what rexcc asks the compiler of itself; and
# does all else as it is asked to.
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

# Write the names of the files of the runtime helper, or of the tool that checks, to the file behind `-o`.
helper_files() {
  "$compiler" -std=c++17 -I"$include" -MM "$include/../$1" | tr -s ' \\' '\n' |
    sed -n 's:.*/\(include\|src\|check\)/\(.*\.\):\2:p' > "$3"
}

# Compile the runtime helper or the tool. Where it lies does not matter, beside a makefile or where rexcc is installed:
# its texts do.
helper() {
  local words=() output=register_cubin.o before= word kept texts=() source= files= headers= place=() found
  for word in "$@"; do
    case $before$word in
      -o*) [ "$before" ] && output=$word && word= ;;
      -isystem*) [ "$before" ] && headers=$word place+=(-isystem "$word") word= ;;
      -I*) headers=${word#-I} place+=("$word") word= ;;
      *register_cubin.cpp) source=$word files=src/register_cubin.cpp word= ;;
      *rex_check.cpp) source=$word files=check/rex_check.cpp word= ;;
      -O2) word=-O0 ;;
    esac
    before= && [[ $word == -o || $word == -isystem ]] && before=$word
    [[ -z $word || -n $before ]] || words+=("$word")
  done
  local usual="-O0 -std=c++17 -fPIC -fvisibility=hidden -DREX_LLVM_VERSION=19 -c"
  if [[ $files == src/* && ${words[*]} == "$usual" ]]; then
    [[ $name == g++ || ! -e $folder/g++ ]] || exec "$folder/g++" "$@"
    [[ $name == g++ ]] && words[0]=-O1 && place=(-Wall -Wextra -Werror -Wno-unused-parameter -I "$headers")
  fi
  once "$folder/helper-${files##*/}" helper_files "$files"
  while read -r word; do
    for found in "${source%"${source##*/}"}$word" "$headers/$word" "$headers/../src/$word"; do
      [ -e "$found" ] && texts+=("$found") && break
    done
  done < "$folder/helper-${files##*/}"
  kept=$(cat "${texts[@]}" <(printf '%s\0' "$name" "${words[@]}") | sha256sum)
  kept=$folder/${kept:0:32}-$name.o
  once "$kept" "$compiler" "${words[@]}" "${place[@]}" "$source" && cp "$kept" "$output"
}

# Link by the command that clang has for it, which it is asked for once for all that differs by names of objects and
# output only; return where there is more to do, or nothing is known.
link() {
  local words=() objects=() output= before= word parts line known=$folder/link/$name
  for word in "$@"; do
    case $before$word in
      -o*) [ "$before" ] && output=$word && word=@out ;;
      -[cESvx] | -'###' | -fsyntax-only | -*@* | @* | *.c | *.cpp | *.cu | *.C) return ;;
      *.o) objects+=("$word") && word=@in ;;
    esac
    before= && [ "$word" = -o ] && before=-o
    known+=/${word//\//,}
  done
  [[ $output && ${#objects[@]} -gt 0 && ${#known} -lt 3000 ]] || return
  if [ ! -e "$known/command" ]; then
    line=$("$compiler" -'###' "$@" 2>&1 | grep '^ "') && [[ $line == ' "'*/ld.lld'" '* && $line != *$'\n'* ]] || return
    eval "parts=($line)"
    mkdir -p "$known" 2> /dev/null || return
    for word in "${parts[@]}"; do
      [ "$word" = "$output" ] && word=@out
      [[ $word == "${objects[0]}" && $word == *.o ]] && objects=("${objects[@]:1}") && word=@in
      printf '%s\n' "$word"
    done > "$known/command.$$"
    mv "$known/command.$$" "$known/command"
    link "$@"
  fi
  mapfile -t parts < "$known/command"
  for word in "${!parts[@]}"; do
    case ${parts[word]} in
      @out) parts[word]=$output ;;
      @in) parts[word]=${objects[0]} && objects=("${objects[@]:1}") ;;
    esac
  done
  "${parts[@]}" && exit
  echo "$name: error: linker command failed with exit code 1 (use -v to see invocation)" >&2
  exit 1
}

# Compile an image, then link it: clang starts another clang where it does both. Return where flags are a program's own.
linked_image() {
  local object=$folder/$$.o compile=() link=(-fuse-ld=lld) before= word
  for word in "$@"; do
    [[ $word == -fsanitize* || $word == -fprofile* || $word == --coverage || $word == -pg ]] && return
  done
  for word in "$@"; do
    case $before$word in
      -o*) link+=("$word") ;;
      -shared | -Wl,*) link+=("$word") ;;
      *.cpp) link+=("$object") && compile+=("$word") ;;
      *) compile+=("$word") ;;
    esac
    before= && [ "$word" = -o ] && before=-o
  done
  trap 'rm -f "$object"' EXIT
  "$compiler" "${compile[@]}" -c -o "$object" || exit
  link "${link[@]}"
  "$compiler" "${link[@]}"
  exit
}

# Say what the compiler says of itself, and of its headers, where no variable names other folders.
about_itself() {
  local kept=$folder/$name-${*: -2:1}.answer
  [ -z "$CPATH$C_INCLUDE_PATH$CPLUS_INCLUDE_PATH" ] || return
  [ -e "$kept" ] || once "$kept" answer "$@" || return
  exec cat "$kept"
}

# Write what the compiler says to a command into the file behind it and `-o`.
answer() {
  "$compiler" "${@:1:$#-2}" > "${!#}" 2>&1
}

case " $* " in
  " -E -dM -v -x c /dev/null " | " -E -dM -v -x c++ /dev/null ") about_itself "$@" ;;
  *register_cubin.cpp*" -c "* | *" -c "*register_cubin.cpp* | *" -c "*rex_check.cpp*) helper "$@" && exit || exit 1 ;;
  *" -shared "*rex_host_*.cpp*) [[ $name == clang* ]] && type -P ld.lld-19 > /dev/null && linked_image "$@" ;;
  *" -fuse-ld=lld "*) link "$@" ;;
  *" -shared "*.host.o*) [[ $name == clang* ]] && type -P ld.lld-19 > /dev/null && link -fuse-ld=lld "$@" ;;
esac
exec "$compiler" "$@"
