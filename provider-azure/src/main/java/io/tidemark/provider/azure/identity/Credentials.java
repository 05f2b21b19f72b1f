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
import java.util.concurrent.ExecutorService;

/** Makes azure-identity's credential of a choice: token protocols are Microsoft's to keep (Z3). */
public final class Credentials {
  private static final AccessTokens.Token STATIC =
      new AccessTokens.Token("static-tidemark", Long.MAX_VALUE);

  private Credentials() {}

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
    TokenCredential credential = credential(choice, cloud, transport, new CallingThread());
    TokenRequestContext wanted = new TokenRequestContext().addScopes(cloud.scope());
    return () -> {
      AccessToken given = credential.getTokenSync(wanted);
      return new AccessTokens.Token(
          given.getToken(), given.getExpiresAt().toInstant().toEpochMilli());
    };
  }

  private static TokenCredential credential(
      CredentialChoice choice, AzureCloud cloud, HttpClient transport, ExecutorService executor) {
    if (choice instanceof CredentialChoice.WorkloadIdentity workload) {
      return of(
              new WorkloadIdentityCredentialBuilder().tokenFilePath(workload.file()),
              workload.tenant(),
              workload.client(),
              cloud,
              transport,
              executor)
          .build();
    }
    if (choice instanceof CredentialChoice.ClientSecret secret) {
      return of(
              new ClientSecretCredentialBuilder().clientSecret(secret.secret()),
              secret.tenant(),
              secret.client(),
              cloud,
              transport,
              executor)
          .build();
    }
    if (choice instanceof CredentialChoice.ClientCertificate certificate) {
      return of(
              new ClientCertificateCredentialBuilder().pemCertificate(certificate.file()),
              certificate.tenant(),
              certificate.client(),
              cloud,
              transport,
              executor)
          .build();
    }
    ManagedIdentityCredentialBuilder machine =
        new ManagedIdentityCredentialBuilder()
            .configuration(new ConfigurationBuilder().build()) // the environment chooses nothing
            .pipeline(pipeline(transport))
            .executorService(executor);
    ((CredentialChoice.ManagedIdentity) choice).client().ifPresent(machine::clientId);
    return machine.build();
  }

  private static <T extends AadCredentialBuilderBase<T>> T of(
      T builder,
      String tenant,
      String client,
      AzureCloud cloud,
      HttpClient transport,
      ExecutorService executor) {
    // The authority comes from the settings; asking Microsoft's discovery about it is a request
    // more.
    return builder
        .disableInstanceDiscovery()
        .tenantId(tenant)
        .clientId(client)
        .authorityHost(cloud.authority().toString())
        .pipeline(pipeline(transport))
        .executorService(executor);
  }

  /** Without the policies that repeat requests: {@code CloudCalls} does. */
  private static HttpPipeline pipeline(HttpClient transport) {
    return new HttpPipelineBuilder().httpClient(transport).build();
  }
}
