package io.tidemark.provider.azure.identity;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpClient;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import java.util.concurrent.ExecutorService;

/** Makes azure-identity's credential of a choice: token protocols are Microsoft's to keep (Z3). */
public final class Credentials {
  private Credentials() {}

  /**
   * The source of tokens for this cloud.
   *
   * @param transport for requests to the authority
   * @param executor runs what azure-identity does beside the calling thread
   */
  public static AccessTokens.Source open(
      CredentialChoice choice, AzureCloud cloud, HttpClient transport, ExecutorService executor) {
    TokenCredential credential = credential(choice, cloud, transport, executor);
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
            .httpClient(transport)
            .executorService(executor)
            .maxRetry(0);
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
    if (AzureCloud.ofName(cloud.name()).isEmpty()) {
      builder.disableInstanceDiscovery(); // Microsoft's discovery knows its own clouds alone
    }
    return builder
        .tenantId(tenant)
        .clientId(client)
        .authorityHost(cloud.authority().toString())
        .httpClient(transport)
        .executorService(executor)
        .maxRetry(0);
  }
}
