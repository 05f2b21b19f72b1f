package io.tidemark.provider.azure;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.config.SharedKey;
import io.tidemark.error.CoreError;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.ipam.AzureSettings;
import io.tidemark.provider.azure.ipam.AzureSettings.Fence;
import io.tidemark.provider.azure.ipam.AzureSettings.Release;
import io.tidemark.provider.azure.start.HttpAzureMetadataJson;
import io.tidemark.provider.kit.start.CaBundle;
import io.tidemark.provider.kit.start.EndpointText;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the settings and collects everything that is wrong with them. Used once. */
final class AzureConfigReader {
  private static final String CUSTOM = "custom";
  private static final String AUTHORITY_VARIABLE = "AZURE_AUTHORITY_HOST";

  private final ConfigSource source;
  private final Map<String, String> environment;
  private final ConfigProblems problems = new ConfigProblems();
  private final ConfigReader reader;

  /**
   * Of these sources.
   *
   * @param environment of the process, for credentials alone
   */
  AzureConfigReader(ConfigSource source, Map<String, String> environment) {
    this.source = source;
    this.environment = environment;
    this.reader = new ConfigReader(source, problems);
  }

  /**
   * The settings.
   *
   * @throws io.tidemark.error.IpamException naming every wrong one
   */
  AzureConfig read() {
    Optional<URI> authority = authorityOfEnvironment();
    Optional<AzureCloud> cloud = cloud(authority);
    AzureConfig config =
        new AzureConfig(
            cloud,
            authority,
            EndpointText.readMetadata(reader, AzureKeys.METADATA.key())
                .orElse(HttpAzureMetadataJson.ENDPOINT),
            CaBundle.setting(reader, AzureKeys.CA_BUNDLE.key()),
            credential(cloud),
            AzureKeys.API_SHARE.read(reader),
            ipam());
    problems.throwIfAny();
    return config;
  }

  private AzureSettings ipam() {
    return new AzureSettings(
        AzureKeys.HORIZON.read(reader),
        SharedKey.OVERLAY_EXPIRY.read(reader),
        AzureKeys.POLL_INTERVAL.read(reader),
        AzureKeys.RESYNC_INTERVAL.read(reader),
        AzureKeys.PREFIX.read(reader),
        AzureKeys.PRIMARY.read(reader),
        new Release(
            AzureKeys.RELEASE_FOREIGN.read(reader), AzureKeys.RELEASE_QUARANTINE.read(reader)),
        AzureKeys.SET_BLOCKS.read(reader),
        AzureKeys.SUBNET_RESERVE.read(reader),
        new Fence(text(AzureKeys.SUBSCRIPTION), text(AzureKeys.GROUP)));
  }

  private Optional<String> text(Option<String> option) {
    return Optional.of(option.read(reader)).filter(text -> !text.isEmpty());
  }

  // ---- cloud

  private Optional<AzureCloud> cloud(Optional<URI> otherAuthority) {
    String name = AzureKeys.CLOUD.read(reader);
    Optional<URI> manager = resourceManager();
    Optional<URI> authority = EndpointText.read(reader, AzureKeys.AUTHORITY.key());
    if (!name.equalsIgnoreCase(CUSTOM)) {
      for (Option<String> each : List.of(AzureKeys.RESOURCE_MANAGER, AzureKeys.AUTHORITY)) {
        if (reader.isGiven(each.key())) {
          contradiction(each, AzureKeys.CLOUD, "only the cloud custom has endpoints of its own");
        }
      }
      return AzureCloud.ofName(name);
    }
    if (!reader.isGiven(AzureKeys.RESOURCE_MANAGER.key())) {
      contradiction(AzureKeys.CLOUD, AzureKeys.RESOURCE_MANAGER, "a custom cloud needs it");
    }
    if (!reader.isGiven(AzureKeys.AUTHORITY.key()) && otherAuthority.isEmpty()) {
      contradiction(AzureKeys.CLOUD, AzureKeys.AUTHORITY, "a custom cloud needs it");
    }
    return manager.flatMap(
        at -> otherAuthority.or(() -> authority).map(from -> new AzureCloud(CUSTOM, at, from)));
  }

  private Optional<URI> resourceManager() {
    String key = AzureKeys.RESOURCE_MANAGER.key();
    Optional<URI> endpoint = EndpointText.read(reader, key);
    boolean hasPath =
        endpoint.map(URI::getPath).filter(path -> !path.isEmpty() && !path.equals("/")).isPresent();
    if (hasPath) {
      problems.invalid(source, key, "a URL without a path");
    }
    return endpoint;
  }

  private void contradiction(Option<?> key, Option<?> other, String why) {
    problems.contradiction(source, key.key(), other.key(), why);
  }

  // ---- the environment

  private Optional<URI> authorityOfEnvironment() {
    String given = environment.getOrDefault(AUTHORITY_VARIABLE, "").strip();
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Optional<URI> authority = EndpointText.parse(given);
    if (authority.isEmpty()) {
      refuse(
          CoreError.CONFIG_INVALID_VALUE,
          AUTHORITY_VARIABLE,
          "is not accepted: " + given,
          "Expected: " + EndpointText.EXPECTED + ".");
    }
    return authority;
  }

  /** Over plain http no secret is sent, so there it is an emulator's token (Z3). */
  private CredentialChoice credential(Optional<AzureCloud> cloud) {
    if (cloud.filter(AzureConfigReader::isPlain).isPresent()) {
      return CredentialChoice.EMULATOR;
    }
    return CredentialChoice.of(
        environment,
        AzureKeys.IDENTITY.read(reader),
        (given, missing) ->
            refuse(
                CoreError.CONFIG_CONTRADICTION,
                given,
                "is set without " + missing,
                "Set " + missing + " too, or unset " + given + "."));
  }

  private static boolean isPlain(AzureCloud cloud) {
    return "http".equalsIgnoreCase(cloud.resourceManager().getScheme())
        || "http".equalsIgnoreCase(cloud.authority().getScheme());
  }

  private void refuse(CoreError code, String variable, String problem, String remedy) {
    problems.add(
        new ConfigProblem(code, "", "", "environment variable " + variable, problem, remedy));
  }
}
