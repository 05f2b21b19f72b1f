package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.operator.Program.Result;
import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.SeedRun;
import io.tidemark.simulation.SimulationReport;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("simulate")
class SimulateTest {
  @Test
  @DisplayName("reports the figures of a cluster of the wanted size, with progress beside")
  void report() {
    Result result = Program.run("simulate", "--nodes=5", "--pods-per-node=2", "--seed=3").ends(0);

    assertThat(result.out())
        .startsWith("FIGURE")
        .containsPattern("\nnodes, removed ones included +5\n")
        .containsPattern("\nviolations +0\n")
        .contains("seed 3");
    assertThat(result.err()).contains(" of 5 nodes full");
  }

  @Test
  @DisplayName("serves the states of the run until it is stopped, with the report before")
  void serves() throws Exception {
    Program program =
        Program.start("simulate", "--nodes=5", "--seed=3", "--serve=0")
            .awaitErr("the states of the run are at http://localhost:");
    Matcher port = Pattern.compile("http://localhost:([0-9]+)/").matcher(program.err());
    assertThat(port.find()).isTrue();

    try (PageStream stream = PageStream.open(Integer.parseInt(port.group(1)))) {
      JsonNode state = stream.next("snapshot");
      assertThat(state.get("nodes")).hasSize(5);
      assertThat(state.at("/facts/recording/millis").size()).isGreaterThan(5);
      assertThat(state.at("/facts/cloud/subnets")).isNotEmpty();
    }
    assertThat(program.stop().ends(0).out()).startsWith("FIGURE");
  }

  @Test
  @DisplayName("says that the port of --serve is taken before it simulates")
  void portTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Result result =
          Program.run("simulate", "--nodes=5", "--trace", "--serve=" + taken.getLocalPort())
              .ends(2);

      assertThat(result.out()).isEmpty();
      assertThat(result.err().lines()).singleElement().asString().contains("PORT_TAKEN");
    }
  }

  @Test
  @DisplayName("gives the same report for the same seed, wall time apart")
  void sameSeed() {
    Result first = Program.run("simulate", "--nodes=5", "--seed=9", "--output=json");
    Result second = Program.run("simulate", "--nodes=5", "--seed=9", "--output=json");

    assertThat(withoutWallTime(second)).isEqualTo(withoutWallTime(first));
    assertThat(Reports.tree(first).fieldNames())
        .toIterable()
        .containsExactly(
            "nodes",
            "virtualSeconds",
            "wallSeconds",
            "timeToWatermarkSeconds",
            "calls",
            "throttled",
            "addresses",
            "interfaces",
            "violations");
  }

  private static JsonNode withoutWallTime(Result result) {
    ObjectNode tree = (ObjectNode) Reports.tree(result);
    tree.remove("wallSeconds");
    return tree;
  }

  @Test
  @DisplayName("replays a random cluster by the command that a failing seed is printed with")
  void replay() {
    String[] command = SeedRun.replay(4, 20).split(" ", -1);
    String[] arguments = Arrays.copyOfRange(command, 1, command.length);
    SimulationReport expected =
        new ClusterSimulation(ScenarioGenerator.scenario(4, 20)).run(SystemTime.instance());

    Result result = Program.run(arguments).ends(0);

    assertThat(command[0]).isEqualTo("./tidemark");
    assertThat(result.err()).contains("operator-1 starts").contains("fault Fault");
    assertThat(result.out())
        .containsPattern("\nnodes, removed ones included +" + expected.nodes() + "\n")
        .containsPattern("\naddresses at the end +" + expected.addresses() + "\n");
  }

  @Test
  @DisplayName(
      "draws the size, too, when none is given, and refuses what would contradict the seed")
  void random() {
    Result drawn = Program.run("simulate", "--random", "--seed=30", "--output=json");
    assertThat(Reports.tree(drawn).get("nodes").asInt())
        .isGreaterThanOrEqualTo(ScenarioGenerator.scenario(30).nodes() - 5);
    assertThat(Program.run("simulate", "--random", "--scenario=x.yaml").ends(2).err())
        .contains("leave out --scenario");
    Result pods = Program.run("simulate", "--random", "--pods-per-node=3").ends(2);
    assertThat(pods.err()).contains("leave out --pods-per-node");
  }

  @Test
  @DisplayName("refuses a scenario that is wrong, with file and line")
  void wrongScenario(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("scenario.yaml");
    Files.writeString(file, "name: x\nseeds: 7\n");

    assertThat(Program.run("simulate", "--scenario=" + file).ends(2).err())
        .contains("TM-1024 SCENARIO_REFUSED: ")
        .contains(file + ":2");
  }

  @Test
  @DisplayName("refuses a scenario that is not there, and a size that makes no sense")
  void usage() {
    assertThat(Program.run("simulate", "--scenario=/nowhere.yaml").exitCode()).isEqualTo(2);
    assertThat(Program.run("simulate", "--nodes=0").ends(2).err())
        .contains("--nodes is 0; expected a number from 1 to 100000");
  }
}
