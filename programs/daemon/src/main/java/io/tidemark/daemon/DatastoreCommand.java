package io.tidemark.daemon;

import io.tidemark.config.DurationText;
import io.tidemark.daemon.inspect.CheckpointInspection;
import io.tidemark.daemon.inspect.CheckpointInspection.Circumstances;
import io.tidemark.daemon.inspect.CheckpointInspection.State;
import io.tidemark.daemon.inspect.FileContent;
import io.tidemark.daemon.inspect.InspectionJson;
import io.tidemark.daemon.inspect.InspectionText;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.program.CommandGroup;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.program.console.Console;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark datastore}: looks at what {@code ipamd} keeps. */
@Command(
    name = "datastore",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Inspects a checkpoint of ipamd or of the AWS VPC CNI.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
final class DatastoreCommand extends CommandGroup {
  /** {@code tidemark datastore inspect}: shows such a file, and changes nothing. */
  @Command(
      name = "inspect",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      sortOptions = false,
      description = {
        "Shows the assignments in a checkpoint of ipamd or of the AWS VPC CNI, the cooling addresses,"
            + " whether the file and its backup are intact, files that a crash left, and what a start"
            + " of ipamd would do. Changes nothing, and names no container."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:The file can be read.",
        "1:An unexpected failure.",
        "2:The command line is invalid, or there is no such file.",
        "3:The file is damaged, or two pods have one address; the report says where."
      },
      footerHeading = "%nExample:%n",
      footer = "  tidemark datastore inspect /var/run/aws-node/ipam.json")
  static final class Inspect implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "FILE", description = "The file, such as that of checkpoint-path.")
    private Path file = Path.of("");

    @Option(
        names = "--ip-cooldown",
        paramLabel = "DURATION",
        defaultValue = "130s",
        description = "How long released addresses cool (default: ${DEFAULT-VALUE}).")
    private String cooldown = "130s";

    @Mixin private final CommonOptions common = new CommonOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    Inspect(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      Circumstances now =
          new Circumstances(
              SystemTime.instance().epochMillis(),
              DurationText.parse(cooldown)
                  .orElseThrow(
                      () ->
                          new ParameterException(
                              spec.commandLine(),
                              "--ip-cooldown is '"
                                  + cooldown
                                  + "'; expected a duration, such as 2m")),
              BootId.read());
      CheckpointInspection inspection;
      try {
        inspection = CheckpointInspection.of(file, new DiskFiles(), now);
      } catch (IOException e) {
        throw new IpamException(
            CoreError.USAGE_REFUSED, file + " cannot be read: " + FileErrorText.of(e), e);
      }
      if (inspection.current() instanceof FileContent.Absent
          && inspection.previous() instanceof FileContent.Absent) {
        throw new IpamException(CoreError.USAGE_REFUSED, file + ": it does not exist");
      }
      console.print(
          common.json() ? InspectionJson.print(inspection) : InspectionText.print(inspection));
      boolean damaged = inspection.current() instanceof FileContent.Unreadable;
      boolean twice =
          inspection.entries().stream().anyMatch(each -> each.state() == State.DUPLICATE);
      return (damaged || twice ? ExitCode.BLOCKED : ExitCode.DONE).number();
    }
  }
}
