package io.tidemark.emulator.arm.cli;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.scenario.ArmScenario;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.cli.EmulatorProgram;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.time.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark arm-emulator}: listens until it is asked to stop. */
@Command(
    name = "tidemark arm-emulator",
    mixinStandardHelpOptions = true,
    versionProvider = EmulatorProgram.class,
    sortOptions = false,
    description = {
      "Serves a strict Azure Resource Manager for network interfaces on the loopback address.",
      "",
      "Serves the API, a token endpoint for any client id and secret, and the instance metadata"
          + " service on one port. The bearer token static-NAME is valid without the token"
          + " endpoint. Prints the endpoint when it can be called and runs until SIGTERM or SIGINT."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Ended by SIGTERM or SIGINT.",
      "1:An unexpected failure.",
      "2:The command line or the scenario is wrong, or the port is taken; nothing was started."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark arm-emulator",
      "  tidemark arm-emulator --port 0 --no-throttle --seed 7",
      "  tidemark arm-emulator --scenario examples/azure/arm.yaml"
    })
final class ArmEmulatorCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  private final PrintWriter out;
  private final StopSignal stop;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "4577",
      description = "Port of all three; 0 for a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description =
          "YAML file with the resources at the start and how Azure behaves"
              + " (docs/arm-emulator.md). Default: two scale sets and a virtual machine in one"
              + " subnet, as in examples/azure/arm.yaml.")
  private Optional<Path> scenario = Optional.empty();

  @Option(names = "--no-throttle", description = "Refuse no request for exceeding a limit.")
  private boolean unthrottled;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description =
          "Seed of all random choices: the same calls give the same addresses. Default: the"
              + " scenario's.")
  private Optional<Long> seed = Optional.empty();

  ArmEmulatorCommand(PrintWriter out, StopSignal stop) {
    this.out = out;
    this.stop = stop;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > PORT_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--port is " + port + "; expected 0 to " + PORT_MAX);
    }
    try (ArmEmulator.Listening listening = listen(world())) {
      out.println("Azure Resource Manager is at " + listening.endpoint());
      stop.await();
    }
    return EmulatorProgram.DONE;
  }

  /** The scenario's, or the example's; options of the command line win. */
  private ArmScenario world() {
    ArmScenario world =
        scenario
            .map(file -> ArmScenarioYaml.read(file).orThrow())
            .orElseGet(ArmScenarioYaml::example);
    return world.withOptions(world.options().with(seed, unthrottled));
  }

  private ArmEmulator.Listening listen(ArmScenario world) {
    try {
      return ArmEmulator.listen(port, world);
    } catch (IOException e) {
      throw new IpamException(CoreError.PORT_TAKEN, "--port " + port + ": " + e.getMessage(), e);
    }
  }
}
