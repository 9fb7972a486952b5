# Sourced by ./headgate and .ci/install-command; plain sh; root is the root of the repository.

# Small and quick to start: the command waits for children, it does not compute. The last three keep
# the JVM's own remarks, such as one on a cache of another JDK, out of the output of jobs.
COMMAND_FLAGS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms16m -Xmx192m -Xss512k \
-XX:-UsePerfData --enable-native-access=ALL-UNNAMED \
-XX:+DisplayVMOutputToStderr -Xlog:disable -Xlog:all=error,aot*=off,cds*=off:stderr"
COMMAND_MAIN=io.headgate.cli.Main

# The order counts: the start-up cache is bound to it.
set_command_path() {
  command_path=$1/headgate-cli.jar:$1/headgate-core.jar:$1/picocli.jar
  # Behind what every run loads; opened by headgate sim alone, and by what has to do with stores.
  command_path=$command_path:$1/headgate-simulator.jar:$1/tomlj.jar
  command_path=$command_path:$1/headgate-jdbc.jar:$1/sqlite-jdbc.jar
}

# True when the command has been built from the sources as they are. A deleted file shows as a newer
# folder.
command_is_fresh() {
  [ -f "$root/.headgate/current" ] || return
  set -- "$root/pom.xml" "$root/.ci/command.sh"
  for module in core jdbc simulator cli; do
    set -- "$@" "$root/$module/src/main" "$root/$module/pom.xml"
  done
  [ -z "$(find "$@" -newer "$root/.headgate/current" 2>&1)" ]
}
