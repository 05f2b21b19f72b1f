package io.tidemark.emulator.ec2.cli;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.ModelOptions;
import io.tidemark.emulator.ec2.types.InstanceTypes;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.io.IOException;
import java.io.PrintWriter;
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
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "A strict EC2 for network interfaces, on this machine's loopback address.",
      "",
      "Every account finds one VPC in every region, with three zones and a /20 subnet in each."
          + " The access key id is the account when it has twelve digits; the secret may be"
          + " anything. Prints the endpoint when it can be called and runs until SIGTERM or SIGINT."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Ended by SIGTERM or SIGINT.",
      "1:It did not work; a defect.",
      "2:The command line is wrong or a port is taken; nothing was started."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark ec2-emulator",
      "  tidemark ec2-emulator --port 0 --no-throttle --seed 7",
      "  AWS_ACCESS_KEY_ID=111111111111 AWS_SECRET_ACCESS_KEY=any \\",
      "    aws --endpoint-url http://127.0.0.1:4566 --region us-east-1 ec2 describe-subnets"
    })
final class EmulatorCommand implements Callable<Integer> {
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
      names = "--no-throttle",
      description = "Refuse no request with RequestLimitExceeded, however many come.")
  private boolean unthrottled;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description =
          "Of everything that is drawn: the same calls give the same ids."
              + " Default: ${DEFAULT-VALUE}.")
  private long seed;

  EmulatorCommand(PrintWriter out, StopSignal stop) {
    this.out = out;
    this.stop = stop;
  }

  @Override
  public Integer call() throws InterruptedException {
    requirePort("--port", port);
    ModelOptions options = ModelOptions.of(seed, InstanceTypes.bundled());
    try (Ec2Emulator.Listening listening =
        listen(unthrottled ? options : options.withThrottling(0))) {
      out.println("EC2 is at " + listening.endpoint());
      stop.await();
    }
    return ExitCode.DONE;
  }

  private Ec2Emulator.Listening listen(ModelOptions options) {
    try {
      return Ec2Emulator.listen(port, options);
    } catch (IOException e) {
      throw taken("--port", port, e);
    }
  }

  private static IpamException taken(String option, int port, IOException e) {
    return new IpamException(CoreError.PORT_TAKEN, option + " " + port + ": " + e.getMessage(), e);
  }

  private void requirePort(String option, int number) {
    if (number < 0 || number > PORT_MAX) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + number + "; expected 0 to " + PORT_MAX);
    }
  }
}
