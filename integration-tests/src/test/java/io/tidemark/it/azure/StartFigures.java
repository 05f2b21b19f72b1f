package io.tidemark.it.azure;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Repository;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How long {@code run --provider=azure} takes from its start to its first request to Resource
 * Manager, a new process each time. Run by {@code .ci/benchmarks azure start}.
 */
public final class StartFigures {
  private static final int RUNS = 7;

  private StartFigures() {}

  /** No arguments. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      seconds.add(start());
    }
    seconds.sort(null);
    System.out.printf(
        Locale.ROOT,
        "%nrun --provider=azure, start to the first request, %d runs: median %.2f s, %.2f to %.2f s%n",
        RUNS,
        seconds.get(RUNS / 2),
        seconds.get(0),
        seconds.get(RUNS - 1));
  }

  private static double start() throws IOException, InterruptedException {
    Path nodes = Files.createTempDirectory("tidemark-start");
    NodeFolder.copy("examples/azure/nodes", nodes);
    try (ArmEmulator.Listening azure = ArmEmulator.listen(0, ArmScenarioYaml.example())) {
      long begun = SystemTime.instance().epochMillis();
      Process operator = builder(azure, nodes).start();
      try {
        List<AuditLog.Entry> asked = asked(azure);
        while (asked.isEmpty()) {
          if (operator.waitFor(5, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the operator ended with " + operator.exitValue());
          }
          asked = asked(azure);
        }
        return (asked.get(0).at().toEpochMilli() - begun) / 1e3;
      } finally {
        operator.destroyForcibly().waitFor();
      }
    }
  }

  /** As {@code ./tidemark} starts it. */
  private static ProcessBuilder builder(ArmEmulator.Listening azure, Path nodes) {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-jar",
            Repository.root().resolve("programs/operator/target/tidemark.jar").toString(),
            "run",
            "--provider=azure",
            "--port=0",
            "--nodes=" + nodes,
            "--config=" + Repository.root().resolve("examples/azure/settings.yaml"),
            "--azure-resource-manager-endpoint=" + azure.endpoint(),
            "--azure-authority-host=" + azure.endpoint());
    builder.environment().keySet().removeIf(name -> name.startsWith("AZURE_"));
    builder.environment().putAll(OperatorProcess.AZURE);
    return builder
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD);
  }

  private static List<AuditLog.Entry> asked(ArmEmulator.Listening azure) {
    return azure.emulator().handler().use(model -> model.audit().entries());
  }
}
