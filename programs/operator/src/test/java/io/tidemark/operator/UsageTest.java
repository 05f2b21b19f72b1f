package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A command line")
class UsageTest {
  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NOTHING                           | no command is given; the commands are run
          rum                               | there is no command 'rum'; the nearest is run; the commands are run
          stauts                            | there is no command 'stauts'; the nearest is status; the commands are
          kubectl stats                     | there is no command 'stats'; the nearest is status; the commands are
          simulate --seed=x                 | 'x' is not a whole number
          run --provider=mock               | there are no nodes: give --nodes, or --kubeconfig
          run --provider=mock --nodes=x --context=c | give one of them
          run --provider=mock --nodes=x --taint-exhausted-nodes=true | taint-exhausted-nodes needs a cluster
          run --ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/8 --nodes=x --taint-exhausted-nodes=true | taint-exhausted-nodes needs a provider; remove it, as ipam=cluster-pool
          doctor --untaint                  | --untaint needs a cluster: give --kubeconfig
          doctor --untaint --migration --context=c | leave out --migration and --nodes
          run --provider=mock --nodes=x --config-map=a/b | --config-map needs a cluster
          run --provider=mock --context=c --config-map=a | --config-map is 'a'; expected NAMESPACE/NAME
          config --provider=mock --context=c --config-map=a/b/c | expected NAMESPACE/NAME
          run --provider=mock --nodes       | Missing required parameter for option '--nodes' (DIR|FILE)
          run --provider=mock --nodes=x --onec | there is no option --onec; the nearest is --once
          run --provider=mock --nodes=x --backof-base=1s | there is no option --backof-base; the nearest is --backoff-base
          run --provider=mock --nodes=x --update-ec2-adapter-limit-via-api=x | --update-ec2-adapter-limit-via-api was removed
          run --provider=mock --nodes=x --alibaba-cloud-vpc-id=x | --alibaba-cloud-vpc-id belongs to a cloud that has no provider here
          run --provider=mock --nodes=x more             | 'more' is not expected here
          run --provider=mock --nodes=x --timeout=soon   | 'soon' is not a duration above zero, such as 90s, 5m or PT5M
          run --provider=mock --nodes=x --timeout=0s     | '0s' is not a duration above zero
          run --provider=mock --nodes=x --port=http      | Invalid value for option '--port': 'http' is not a whole number
          run --provider=mock --nodes=x --port=99999     | --port is 99999; expected a number from 0 to 65535
          run --provider=mock --nodes=x --port=-1        | --port is -1; expected a number from 0 to 65535
          run --provider=mock --nodes=x --listen=example.org | --listen is 'example.org'; expected an IP address
          run --provider=mock --nodes=x --output=xml     | Invalid value for option '--output'
          run --provider=mock --nodes=x --log-level=loud | Invalid value for option '--log-level'
          explain --nodes=x                 | Missing required parameter: 'NODE'
          node-cidr                         | no command is given; the only command is plan
          node-id                           | no command is given; the only command is plan
          node-cidr plan --count=0          | --count is 0; expected a number from 1 to 1000000000
          node-cidr plan --cluster-cidrs=x  | there is no option --cluster-cidrs; the nearest is --cluster-cidr
          """)
  @DisplayName("that cannot be understood ends with 2 and says what is wrong with it")
  void refused(String words, String problem) {
    Result result = Program.run(words.equals("NOTHING") ? new String[0] : words.split(" ", -1));

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("tidemark: TM-1020 USAGE_REFUSED: ")
        .contains(problem)
        .contains(" --help.")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"status", "explain worker-a", "run --once --dry-run"})
  @DisplayName("that changes nothing takes the settings of a cluster for manifests")
  void readOnly(String words) {
    Result result =
        Program.run(
            Program.arguments(
                words, "--provider=mock", "--nodes=" + directory, "--taint-exhausted-nodes=true"));
    assertThat(result.err()).doesNotContain("needs a cluster");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"status", "explain worker-a", "run --once", "doctor", "config"})
  @DisplayName("CO-4 without a provider asks for one, whatever the command; none is assumed")
  void noProvider(String words) {
    String[] arguments =
        words.equals("config")
            ? new String[] {words}
            : Program.arguments(words, "--nodes=" + directory);

    Result result = Program.run(arguments).ends(2);

    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("TM-1021 PROVIDER_UNKNOWN: no provider is chosen", "known: aws, azure, mock.");
  }

  @Test
  @DisplayName("with an unknown provider lists the known ones")
  void provider() {
    assertThat(Program.run("run", "--provider=gcp", "--nodes=" + directory).ends(2).err())
        .contains(
            "TM-1021 PROVIDER_UNKNOWN: command line: there is no provider 'gcp'; known: aws, azure,"
                + " mock.");
  }

  @Test
  @DisplayName("with a file of settings that is not there says so")
  void noSettings() {
    Path file = directory.resolve("none.yaml");

    Result result =
        Program.run("run", "--provider=mock", "--nodes=" + directory, "--config=" + file).ends(2);

    assertThat(result.err()).contains(file + ": does not exist. Correct the file");
  }

  @Test
  @DisplayName("wins over the file, under older names, too")
  void layers() throws IOException {
    Path file = directory.resolve("settings.yaml");
    Files.writeString(file, "release-excess-ips: false\n");
    Path nodes = Files.createDirectory(directory.resolve("nodes"));
    Manifests manifests = new Manifests(nodes).with("a.yaml", Manifests.fresh("worker-a"));
    manifests.run("run --provider=mock --once");
    manifests.with(
        "a.yaml", manifests.read("a.yaml").replace("pre-allocate: 8", "pre-allocate: 2"));

    String[] withFile =
        Program.arguments(
            "explain --provider=mock worker-a", manifests.option(), "--config=" + file);
    String[] withBoth =
        Program.arguments(
            "explain --provider=mock worker-a",
            manifests.option(),
            "--config=" + file,
            "--aws-release-excess-ips=true");

    assertThat(Program.run(withFile).out()).contains("plan: idle");
    assertThat(Program.run(withBoth).out()).contains("plan: release 6 addresses");
  }

  @Test
  @DisplayName("with --debug shows the stack trace of a failure")
  void debug() {
    Result result = Program.run("run", "--provider=gcp", "--nodes=" + directory, "--debug");

    assertThat(result.err()).contains("\tat io.tidemark.");
  }

  @Test
  @DisplayName("with --version tells versions")
  void version() {
    assertThat(Program.run("--version").ends(0).out()).startsWith("tidemark ").contains("\nJava ");
  }
}
