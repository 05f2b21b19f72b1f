package io.tidemark.operator;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.engine.ProviderCheckup;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.kubernetes.migration.MigrationFacts;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.manifests.DirectoryBackend;
import io.tidemark.operator.migration.MigrationCheck;
import io.tidemark.operator.report.FindingsText;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.program.ClusterOptions;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.spi.Finding;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark doctor}: whether a provider can do its work. */
@Command(
    name = "doctor",
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark doctor [OPTIONS]",
    description = {
      "Checks whether a provider can work with these settings: its identity, granted and missing"
          + " permissions, endpoints, clocks and quotas; in a cluster also whether its nodes take"
          + " more pods than they can have addresses for. Changes nothing; an operator may run at"
          + " the same time.",
      "With --migration it first reports what a cluster has of cilium-operator, what to do before"
          + " Tidemark replaces its allocation of addresses, and how to go back.",
      "With --untaint it only removes what taint-exhausted-nodes left on the nodes of a cluster."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Nothing is missing and nothing failed; warnings and undecided checks are reported.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid; no request was sent.",
      "3:Something is missing or failed; the report gives the remedy.",
      "4:Not all checks ended within --timeout; the report lists those that did."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark doctor --provider=aws",
      "  tidemark doctor --provider=aws --nodes=nodes --cluster-name=prod",
      "  tidemark doctor --provider=aws --config=settings.yaml --output=json",
      "  tidemark doctor --migration --config-map=kube-system/cilium-config",
      "  tidemark doctor --untaint --context=west"
    })
final class DoctorCommand extends SettingsCommand {
  @Option(
      names = "--nodes",
      paramLabel = "DIR|FILE",
      description =
          "CiliumNode manifests, as for run; their objects are used to try requests. The default is"
              + " the nodes of a cluster; without nodes some permissions cannot be checked.")
  private @Nullable Path nodes;

  @Mixin
  private final ClusterOptions cluster =
      new ClusterOptions(KubernetesNodeResourceStore.FIELD_MANAGER);

  @Option(
      names = "--migration",
      description =
          "Also report whether Tidemark can replace cilium-operator in the cluster, and the steps.")
  private boolean migration;

  @Option(
      names = "--untaint",
      description =
          "Remove the taint tidemark.io/no-pod-addresses and the condition PodAddressesAvailable=False"
              + " from all nodes, and check nothing. An operator that runs may set them again.")
  private boolean untaint;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description =
          "Report the results so far after this time, such as 90s or 5m (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofMinutes(1);

  DoctorCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  public Integer call() throws Exception {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    if (untaint) {
      return untaint().number();
    }
    Settings settings =
        settings(cluster.settings(surroundings.environment(), surroundings.console()));
    List<Finding> before = migration ? migration(settings) : List.of();
    if (!settings.isEngine()) {
      if (!migration) {
        throw new IpamException(
            CoreError.USAGE_REFUSED,
            "doctor checks the cloud of the engine, which does not run with ipam="
                + settings.choice().name());
      }
      return report(settings.choice().name(), before).number();
    }
    ProviderFactory factory = settings.provider().orElseThrow();
    try (ProviderCheckup engine =
        ProviderCheckup.assemble(factory, backend(settings), settings.source())) {
      return await(engine, settings, before).number();
    }
  }

  private ExitCode untaint() {
    requireCluster("--untaint");
    if (migration || nodes != null) {
      throw new IpamException(
          CoreError.USAGE_REFUSED, "--untaint checks nothing: leave out --migration and --nodes");
    }
    long deadlineNanos = SystemTime.instance().nanos() + timeout.toNanos();
    BooleanSupplier inTime = () -> SystemTime.instance().nanos() - deadlineNanos < 0;
    Duration usual = KubernetesConfig.defaults().requestTimeout();
    Duration request = timeout.compareTo(usual) < 0 ? timeout : usual;
    try (ClusterConnection connection =
            ClusterConnection.open(cluster.access(surroundings.console(), request));
        ClusterNodes all =
            ClusterNodes.unstarted(connection, SystemTime.instance(), Runnable::run)) {
      return report("kubernetes", TaintRemoval.findings(all, inTime));
    }
  }

  private void requireCluster(String option) {
    if (!cluster.given(surroundings.environment())) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          option + " needs a cluster: give --kubeconfig, KUBECONFIG or --context");
    }
  }

  private List<Finding> migration(Settings settings) {
    requireCluster("--migration");
    try (ClusterConnection connection =
        ClusterConnection.open(
            cluster.access(surroundings.console(), settings.kubernetes().requestTimeout()))) {
      return MigrationCheck.findings(
          MigrationFacts.read(
              connection,
              settings.kubernetes().election().namespace(),
              Instant.ofEpochMilli(SystemTime.instance().epochMillis())),
          cluster.hasConfigMap() ? Optional.of(settings.ignored()) : Optional.empty());
    }
  }

  private Optional<NodeBackend.Opener> backend(Settings settings) {
    if (nodes != null) {
      return Optional.of(DirectoryBackend.at(nodes));
    }
    KubernetesConfig config = settings.kubernetes();
    return cluster.given(surroundings.environment())
        ? Optional.of(
            KubernetesBackend.connecting(
                cluster.access(surroundings.console(), config.requestTimeout())))
        : Optional.empty();
  }

  private ExitCode await(ProviderCheckup engine, Settings settings, List<Finding> before)
      throws InterruptedException, ExecutionException {
    long deadlineNanos = SystemTime.instance().nanos() + timeout.toNanos();
    CompletableFuture<List<Finding>> end = engine.run(timeout).toCompletableFuture();
    surroundings.stop().requested().thenRun(() -> end.cancel(false));
    try {
      List<Finding> all = new ArrayList<>(before);
      all.addAll(end.get());
      if (nodes == null && cluster.given(surroundings.environment())) {
        MaxPodsCheck check =
            new MaxPodsCheck(settings, backend(settings).orElseThrow(), surroundings.stop());
        all.addAll(check.findings(deadlineNanos));
      }
      return report(settings.provider().orElseThrow().name(), all);
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
          .note("tidemark: not all checks ended within " + timeout.toSeconds() + " s");
      return ExitCode.TIMEOUT;
    }
    boolean wrong = findings.stream().anyMatch(each -> each.verdict().isWrong());
    return wrong ? ExitCode.BLOCKED : ExitCode.DONE;
  }
}
