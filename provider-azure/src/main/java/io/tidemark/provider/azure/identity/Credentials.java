package io.tidemark.provider.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
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
    if (choice instanceof CredentialChoice.StaticToken) {
      return () -> STATIC;
    }
    return open(
        choice,
        cloud,
        choice instanceof CredentialChoice.ManagedIdentity
            ? transport.metadata()
            : transport.cloud());
  }

  static AccessTokens.Source open(CredentialChoice choice, AzureCloud cloud, HttpClient transport) {
    // without the policies that repeat requests: CloudCalls does
    HttpPipeline pipeline = new HttpPipelineBuilder().httpClient(transport).build();
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
    if (choice instanceof CredentialChoice.WorkloadIdentity workload) {
      return of(new WorkloadIdentityCredentialBuilder(), workload)
          .tokenFilePath(workload.file())
          .build();
    }
    if (choice instanceof CredentialChoice.ClientSecret secret) {
      return of(new ClientSecretCredentialBuilder(), secret).clientSecret(secret.secret()).build();
    }
    if (choice instanceof CredentialChoice.ClientCertificate certificate) {
      return of(new ClientCertificateCredentialBuilder(), certificate)
          .pemCertificate(certificate.file())
          .build();
    }
    ManagedIdentityCredentialBuilder machine =
        new ManagedIdentityCredentialBuilder()
            .configuration(new ConfigurationBuilder().build()) // the environment chooses nothing
            .pipeline(pipeline)
            .executorService(new CallingThread());
    ((CredentialChoice.ManagedIdentity) choice).client().ifPresent(machine::clientId);
    return machine.build();
  }

  private <T extends AadCredentialBuilderBase<T>> T of(
      T builder, CredentialChoice.OfClient choice) {
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
