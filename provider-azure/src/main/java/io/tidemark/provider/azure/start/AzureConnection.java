package io.tidemark.provider.azure.start;

import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.identity.Credentials;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.Transport;
import io.tidemark.time.TimeSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resource Manager and the authority of one cloud. The libraries behind them are loaded, and
 * connections made, by the first request that needs them. Thread-safe.
 */
public final class AzureConnection {
  private static final Logger LOG = LoggerFactory.getLogger(AzureConnection.class);

  private final Supplier<AzureCloud> cloud;
  private final CredentialChoice credential;
  private final Transport transport;
  private final TimeSource time;
  private Optional<ArmApi> arm = Optional.empty();
  private Optional<AccessTokens.Source> tokens = Optional.empty();

  /**
   * Connects to nothing yet.
   *
   * @param cloud called inside of requests, after the start
   */
  public AzureConnection(
      Supplier<AzureCloud> cloud,
      CredentialChoice credential,
      Transport transport,
      TimeSource time) {
    this.cloud = cloud;
    this.credential = credential;
    this.transport = transport;
    this.time = time;
  }

  /**
   * Resource Manager; for requests after the start.
   *
   * @param token the access token of now
   * @param blocksOnScaleSets whether instances are asked for blocks; always the same
   */
  public synchronized ArmApi arm(Supplier<String> token, boolean blocksOnScaleSets) {
    ArmApi open =
        arm.orElseGet(
            () -> transport.arm(cloud.get().resourceManager(), token, time, blocksOnScaleSets));
    arm = Optional.of(open);
    return open;
  }

  /** Asks for a token: one request, after the start. */
  public AccessTokens.Token token() throws Exception {
    return tokens().fetch();
  }

  private synchronized AccessTokens.Source tokens() {
    if (tokens.isEmpty()) {
      LOG.info("Requests to Azure start. cloud={} credential={}", cloud.get().name(), credential);
      tokens = Optional.of(Credentials.open(credential, cloud.get(), transport));
    }
    return tokens.get();
  }
}
