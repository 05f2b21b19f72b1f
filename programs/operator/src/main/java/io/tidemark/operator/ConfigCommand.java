package io.tidemark.operator;

import io.tidemark.config.DurationText;
import io.tidemark.config.Option;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.node.config.EngineKey;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.SettingsReport;
import io.tidemark.operator.report.SettingsReport.Row;
import io.tidemark.program.ClusterOptions;
import io.tidemark.program.CommonOptions;
import io.tidemark.program.ExitCode;
import io.tidemark.program.Version;
import io.tidemark.spi.ProviderFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark config}: which settings hold, and why. */
@Command(
    name = "config",
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "tidemark config [OPTIONS]",
    description = {
      "Prints every setting with its effective value, its source and its meaning, and lists known"
          + " keys of shared sources that have no effect. Validates all settings as run does. Sends"
          + " no request to the cloud, and to the cluster only for --config-map.",
      "The first source that has a setting wins: command line, environment, --config, --config-dir,"
          + " --config-map."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The settings are valid.",
      "1:An unexpected failure.",
      "2:The command line or the configuration is invalid; all problems are listed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark config --provider=mock",
      "  tidemark config --config-dir=/etc/cilium-config",
      "  tidemark config --kubeconfig=FILE --config-map=kube-system/cilium-config",
      "  TIDEMARK_CLUSTER_NAME=prod tidemark config --config=settings.yaml -o json"
    })
final class ConfigCommand extends SettingsCommand {

  @Mixin
  private final ClusterOptions cluster =
      new ClusterOptions(KubernetesNodeResourceStore.FIELD_MANAGER);

  ConfigCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  public Integer call() {
    common.startLogging(surroundings.console(), CommonOptions.LogLevel.WARN);
    Settings settings =
        SettingsReader.read(
            places(cluster.settings(surroundings.environment(), surroundings.console())),
            surroundings.providers(),
            surroundings.console().secrets()::learn,
            true);
    SettingsReport report =
        new SettingsReport(
            settings.choice().key(),
            settings.choice().name(),
            settings.choice().origin(),
            surroundings.providers().names(),
            rows(settings),
            settings.ignored());
    surroundings.console().print(common.json() ? ReportJson.print(report) : report.text());
    return ExitCode.DONE.number();
  }

  private static List<Row> rows(Settings settings) {
    List<Row> rows = new ArrayList<>();
    settings.provider().ifPresent(provider -> rows.add(provider(settings, provider)));
    for (Option<?> key : ProgramKey.all()) {
      if (!key.equals(ProgramKey.PROVIDER)) {
        rows.add(row(settings, "program", key));
      }
    }
    switch (settings.choice().mode()) {
      case ENGINE -> EngineKey.all().forEach(key -> rows.add(row(settings, "engine", key)));
      case NODE_CIDR ->
          NodeCidrKey.of(settings.choice().name()).stream()
              .filter(key -> !key.key().equals(ProgramKey.IPAM.key()))
              .forEach(key -> rows.add(row(settings, "node-cidr", key)));
      case NODE_ID -> NodeIdKey.all().forEach(key -> rows.add(row(settings, "node-id", key)));
    }
    settings
        .provider()
        .ifPresent(
            provider ->
                SettingOptions.sorted(provider)
                    .forEach(key -> rows.add(row(settings, provider.name(), key))));
    return rows;
  }

  private static Row provider(Settings settings, ProviderFactory provider) {
    return new Row(
        ProgramKey.PROVIDER.key(),
        "program",
        Optional.of(provider.name()),
        false,
        settings.isEngine()
            ? settings.choice().origin()
            : settings.source().origin(ProgramKey.PROVIDER.key()),
        ProgramKey.PROVIDER.meaning());
  }

  private static Row row(Settings settings, String group, Option<?> key) {
    Optional<String> given = settings.source().value(key.key());
    Optional<String> otherwise =
        key.equals(EngineKey.PASS_TIMEOUT)
            ? settings
                .provider()
                .flatMap(ProviderFactory::passTimeout)
                .map(DurationText::print)
                .or(key::defaultText)
            : key.defaultText();
    boolean hidden = given.isPresent() && key.secret();
    return new Row(
        key.key(),
        group,
        hidden ? Optional.empty() : given.or(() -> otherwise),
        hidden,
        settings.source().origin(key.key()),
        key.meaning());
  }
}
