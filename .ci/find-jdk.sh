# Sourced by ./headgate, ./verify and .ci/fray-image; plain sh.
# find_jdk sets JDK to the home of a JDK that is new enough, or fails.

JDK_FEATURE=25

# The release file answers without the price of starting a JVM.
jdk_fits() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*)
        line=${line#*\"}
        line=${line%%[!0-9]*}
        [ "${line:-0}" -ge "$JDK_FEATURE" ]
        return
        ;;
    esac
  done <"$1/release"
  return 1
}

find_jdk() {
  path_java=$(command -v java || true)
  if [ -n "$path_java" ]; then
    path_java=$(readlink -f "$path_java" || true)
  fi
  for JDK in "${JAVA_HOME:-}" "${path_java%/bin/java}" \
    /usr/lib/jvm/* /opt/* /opt/*/* /usr/local/* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if jdk_fits "$JDK"; then
      return 0
    fi
  done
  JDK=
  return 1
}

no_jdk() {
  echo "$1: no JDK $JDK_FEATURE or later found: install one (for instance Temurin $JDK_FEATURE) or set JAVA_HOME to it" >&2
}
