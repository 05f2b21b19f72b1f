package io.tidemark.provider.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpPipeline;
import com.azure.core.util.ConfigurationBuilder;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import io.tidemark.provider.azure.network.Transport;

/** Makes azure-identity's credential of a choice: token protocols are Microsoft's to keep (Z3). */
public final class Credentials {
  private static final AccessTokens.Token STATIC =
      new AccessTokens.Token("static-tidemark", Long.MAX_VALUE);

  private final AzureCloud cloud;
  private final HttpPipeline pipeline;

  private Credentials(AzureCloud cloud, HttpPipeline pipeline) {
    this.cloud = cloud;
    this.pipeline = pipeline;
  }

  /** The source of tokens for this cloud; each token is asked for on the calling thread. */
  public static AccessTokens.Source open(
      CredentialChoice choice, AzureCloud cloud, Transport transport) {
    return switch (choice.kind()) {
      case EMULATOR -> () -> STATIC;
      case MACHINE -> open(choice, cloud, transport.metadata());
      default -> open(choice, cloud, transport.cloud());
    };
  }

  /**
   * The same.
   *
   * @param pipeline without policies that repeat requests: CloudCalls does
   */
  static AccessTokens.Source open(
      CredentialChoice choice, AzureCloud cloud, HttpPipeline pipeline) {
    Credentials credentials = new Credentials(cloud, pipeline);
    TokenRequestContext wanted = new TokenRequestContext().addScopes(cloud.scope());
    return () -> {
      // An old credential answers with the token that it has, which Azure may have refused.
      AccessToken given = credentials.credential(choice).getTokenSync(wanted);
      return new AccessTokens.Token(
          given.getToken(), given.getExpiresAt().toInstant().toEpochMilli());
    };
  }

  private TokenCredential credential(CredentialChoice choice) {
    return switch (choice.kind()) {
      case WORKLOAD_IDENTITY ->
          of(new WorkloadIdentityCredentialBuilder(), choice).tokenFilePath(choice.proof()).build();
      case CLIENT_SECRET ->
          of(new ClientSecretCredentialBuilder(), choice).clientSecret(choice.proof()).build();
      case CLIENT_CERTIFICATE ->
          of(new ClientCertificateCredentialBuilder(), choice)
              .pemCertificate(choice.proof())
              .build();
      default -> machine(choice.client());
    };
  }

  private TokenCredential machine(String client) {
    ManagedIdentityCredentialBuilder machine =
        new ManagedIdentityCredentialBuilder()
            .configuration(new ConfigurationBuilder().build()) // the environment chooses nothing
            .pipeline(pipeline)
            .executorService(new CallingThread());
    return (client.isEmpty() ? machine : machine.clientId(client)).build();
  }

  private <T extends AadCredentialBuilderBase<T>> T of(T builder, CredentialChoice choice) {
    // The authority comes from the settings; asking Microsoft's discovery about it is a request
    // more.
    return builder
        .disableInstanceDiscovery()
        .tenantId(choice.tenant())
        .clientId(choice.client())
        .authorityHost(cloud.authority().toString())
        .pipeline(pipeline)
        .executorService(new CallingThread());
  }
}
