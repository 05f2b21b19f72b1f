package io.tidemark.operator;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.KubernetesConfig;
import io.tidemark.engine.ProviderCheckup;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.operator.report.FindingsText;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.spi.Finding;
import io.tidemark.spi.ProviderFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark doctor}: whether a provider can do its work. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark doctor [OPTIONS]",
    description = {
      "Says whether a provider can do its work with these settings: as whom the cloud knows it,"
          + " which permissions are granted or missing, whether endpoints answer and clocks agree,"
          + " what quotas leave. Changes nothing; an operator may run beside it or not."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Nothing is missing or failed; warnings and what cannot be decided are told.",
      "1:It did not work.",
      "2:The command line or the configuration is wrong; nothing was asked.",
      "3:Something is missing or failed; the report says what to do.",
      "4:Not everything was looked at within --timeout; the report says what was."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark doctor --provider=aws",
      "  tidemark doctor --provider=aws --nodes=nodes --cluster-name=prod",
      "  tidemark doctor --provider=aws --nodes=nodes --config=settings.yaml --output=json"
    })
final class DoctorCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final CommonOptions common = new CommonOptions();

  @Mixin private final ConfigOptions config = new ConfigOptions();

  @Option(
      names = "--nodes",
      paramLabel = "DIR|FILE",
      description =
          "CiliumNode manifests, as for run; requests are tried on what they name. Without it the"
              + " nodes are those of a cluster, if there is one; without nodes some permissions"
              + " cannot be decided.")
  private @Nullable Path nodes;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description =
          "Report by this time what is known then, such as 90s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofMinutes(1);

  DoctorCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws Exception {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    Settings settings =
        config.settings(surroundings, cluster.settings(surroundings), Optional.empty());
    ProviderFactory factory = settings.provider();
    try (ProviderCheckup engine =
        ProviderCheckup.assemble(factory, backend(settings), settings.core(), settings.source())) {
      return await(engine, factory.name()).number();
    }
  }

  private Optional<NodeBackend.Opener> backend(Settings settings) {
    if (nodes != null) {
      return Optional.of(DirectoryBackend.at(nodes));
    }
    KubernetesConfig config = settings.kubernetes();
    return cluster.given(surroundings)
        ? Optional.of(
            KubernetesBackend.connecting(cluster.access(surroundings, config.requestTimeout())))
        : Optional.empty();
  }

  private ExitCode await(ProviderCheckup engine, String name)
      throws InterruptedException, ExecutionException {
    CompletableFuture<List<Finding>> end = engine.run(timeout).toCompletableFuture();
    Object unusedStop = surroundings.stop().requested().thenRun(() -> end.cancel(false));
    try {
      return report(name, end.get());
    } catch (java.util.concurrent.CancellationException e) {
      return ExitCode.FAILURE;
    }
  }

  private ExitCode report(String name, List<Finding> findings) {
    surroundings
        .console()
        .print(
            common.json() ? ReportJson.print(name, findings) : FindingsText.print(name, findings));
    if (findings.stream().anyMatch(each -> each.verdict() == Finding.Verdict.UNFINISHED)) {
      surroundings
          .console()
          .note("tidemark: not everything was looked at within " + timeout.toSeconds() + " s");
      return ExitCode.TIMEOUT;
    }
    boolean wrong = findings.stream().anyMatch(each -> each.verdict().isWrong());
    return wrong ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
