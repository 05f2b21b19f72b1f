package io.tidemark.emulator.ec2.cli;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario;
import io.tidemark.emulator.ec2.scenario.Ec2ScenarioYaml;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
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

/** {@code tidemark ec2-emulator}: listens until it is asked to stop. */
@Command(
    name = "tidemark ec2-emulator",
    mixinStandardHelpOptions = true,
    versionProvider = EmulatorProgram.class,
    sortOptions = false,
    description = {
      "Serves a strict EC2 for network interfaces on the loopback address.",
      "",
      "Every account finds one VPC in every region, with three zones and a /20 subnet in each."
          + " The access key id is the account when it has twelve digits; the secret may be"
          + " anything. Prints the endpoint when it can be called and runs until SIGTERM or SIGINT."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Ended by SIGTERM or SIGINT.",
      "1:An unexpected failure.",
      "2:The command line or the scenario is wrong, or a port is taken; nothing was started."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark ec2-emulator",
      "  tidemark ec2-emulator --port 0 --no-throttle --seed 7",
      "  tidemark ec2-emulator --imds-port 1338 \\",
      "    --scenario examples/ec2-emulator/three-zones.yaml",
      "  AWS_ACCESS_KEY_ID=111111111111 AWS_SECRET_ACCESS_KEY=any \\",
      "    aws --endpoint-url http://127.0.0.1:4566 --region us-east-1 \\",
      "    ec2 describe-subnets"
    })
final class Ec2EmulatorCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  private final PrintWriter out;
  private final StopSignal stop;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "4566",
      description = "Port of the API; 0 for any free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description =
          "YAML file with the world at the start and how EC2 behaves (docs/ec2-emulator.md)."
              + " Default: an empty world.")
  private Optional<Path> scenario = Optional.empty();

  @Option(
      names = "--imds-port",
      paramLabel = "PORT",
      description = "Port of the instance metadata service; 0 for any free one. Default: none.")
  private Optional<Integer> imdsPort = Optional.empty();

  @Option(
      names = "--imds-instance",
      paramLabel = "ID",
      description =
          "The instance that asks the metadata service. Default: the one that was launched first.")
  private Optional<String> imdsInstance = Optional.empty();

  @Option(
      names = "--imds-role",
      paramLabel = "NAME",
      description =
          "The role of that instance; the service gives out its credentials. Default: none.")
  private Optional<String> imdsRole = Optional.empty();

  @Option(names = "--no-throttle", description = "Refuse no request with RequestLimitExceeded.")
  private boolean unthrottled;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description =
          "Seed of all random choices: the same calls give the same ids. Default: the scenario's,"
              + " or 1.")
  private Optional<Long> seed = Optional.empty();

  Ec2EmulatorCommand(PrintWriter out, StopSignal stop) {
    this.out = out;
    this.stop = stop;
  }

  @Override
  public Integer call() throws InterruptedException {
    requirePort("--port", port);
    imdsPort.ifPresent(number -> requirePort("--imds-port", number));
    requireImds();
    try (Ec2Emulator.Listening listening = listen(world())) {
      out.println("EC2 is at " + listening.endpoint());
      listening.metadataEndpoint().ifPresent(uri -> out.println("Instance metadata is at " + uri));
      stop.await();
    }
    return EmulatorProgram.DONE;
  }

  /** The scenario's, or an empty one that is throttled; options of the command line win. */
  private Ec2Scenario world() {
    Ec2Scenario world =
        scenario
            .map(file -> Ec2ScenarioYaml.read(file, Ec2InstanceTypes.bundled()).orThrow())
            .orElseGet(
                () ->
                    Ec2Scenario.of(
                        Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()).withThrottling(true)));
    Ec2ModelOptions options = world.options();
    Ec2ModelOptions seeded = seed.map(options::withSeed).orElse(options);
    return world.withOptions(unthrottled ? seeded.withThrottling(false) : seeded);
  }

  private Ec2Emulator.Listening listen(Ec2Scenario world) {
    ListenOptions options = ListenOptions.of(port, world);
    try {
      return Ec2Emulator.listen(
          imdsPort
              .map(number -> options.withMetadata(number, new Imds.Setting(imdsInstance, imdsRole)))
              .orElse(options));
    } catch (IOException e) {
      String ports =
          "--port " + port + imdsPort.map(number -> " or --imds-port " + number).orElse("");
      throw new IpamException(CoreError.PORT_TAKEN, ports + ": " + e.getMessage(), e);
    }
  }

  private void requireImds() {
    if (imdsPort.isEmpty() && (imdsInstance.isPresent() || imdsRole.isPresent())) {
      refuse(
          (imdsInstance.isPresent() ? "--imds-instance" : "--imds-role")
              + " is given without --imds-port");
    }
    imdsInstance
        .filter(id -> !id.matches("i-[0-9a-f]{8,17}"))
        .ifPresent(id -> refuse("--imds-instance is " + id + "; expected i- and hex digits"));
    imdsRole
        .filter(name -> !name.matches("[\\w+=,.@-]{1,64}"))
        .ifPresent(name -> refuse("--imds-role is " + name + "; expected a role's name"));
  }

  private void refuse(String problem) {
    throw new ParameterException(spec.commandLine(), problem);
  }

  private void requirePort(String option, int number) {
    if (number < 0 || number > PORT_MAX) {
      refuse(option + " is " + number + "; expected 0 to " + PORT_MAX);
    }
  }
}
