package io.tidemark.provider.azure.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which credential is used, decided by what is set (6.2, Z46): never a chain that tries one after
 * the other. Immutable; as text it shows no secret.
 */
public sealed interface CredentialChoice {
  /** A client of a tenant, with some proof that we are it. */
  sealed interface OfClient extends CredentialChoice {
    /** The tenant's id. */
    String tenant();

    /** The client's id. */
    String client();
  }

  /** Workload identity of a cluster: a token file of Kubernetes, read again for each token. */
  record WorkloadIdentity(String tenant, String client, String file) implements OfClient {
    @Override
    public String toString() {
      return "workload identity of " + client;
    }
  }

  /** A client and its secret. */
  record ClientSecret(String tenant, String client, String secret) implements OfClient {
    @Override
    public String toString() {
      return "client secret of " + client;
    }
  }

  /** A client and the file of its certificate. */
  record ClientCertificate(String tenant, String client, String file) implements OfClient {
    @Override
    public String toString() {
      return "client certificate of " + client;
    }
  }

  /**
   * The identity of the machine.
   *
   * @param client the client id of a user-assigned identity; empty for the system's
   */
  record ManagedIdentity(Optional<String> client) implements CredentialChoice {
    @Override
    public String toString() {
      return client.map(id -> "user-assigned identity " + id).orElse("identity of the machine");
    }
  }

  /**
   * No secret at all: the token of an emulator, the only one that goes over plain http (Z3). {@link
   * #of} never chooses it.
   */
  record StaticToken() implements CredentialChoice {
    @Override
    public String toString() {
      return "token of an emulator";
    }
  }

  /** A choice, or why none can be made. */
  record Reading(Optional<CredentialChoice> choice, List<Incomplete> problems) {
    public Reading {
      problems = List.copyOf(problems);
    }
  }

  /** Half of a credential: a variable that is set, and one that it needs. */
  record Incomplete(String given, String missing) {
    @Override
    public String toString() {
      return given + " is set without " + missing;
    }
  }

  /**
   * The choice for these settings.
   *
   * @param environment of the process
   * @param userAssigned {@code azure-user-assigned-identity-id}
   */
  static Reading of(Map<String, String> environment, Optional<String> userAssigned) {
    if (userAssigned.isPresent()) {
      return chosen(new ManagedIdentity(userAssigned));
    }
    String client = environment.getOrDefault("AZURE_CLIENT_ID", "");
    String tenant = environment.getOrDefault("AZURE_TENANT_ID", "");
    for (String proof :
        List.of(
            "AZURE_FEDERATED_TOKEN_FILE", "AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PATH")) {
      String value = environment.getOrDefault(proof, "");
      if (!value.isEmpty()) {
        List<Incomplete> problems = new ArrayList<>();
        if (client.isEmpty()) {
          problems.add(new Incomplete(proof, "AZURE_CLIENT_ID"));
        }
        if (tenant.isEmpty()) {
          problems.add(new Incomplete(proof, "AZURE_TENANT_ID"));
        }
        return problems.isEmpty()
            ? chosen(made(proof, tenant, client, value))
            : new Reading(Optional.empty(), problems);
      }
    }
    return chosen(new ManagedIdentity(Optional.of(client).filter(text -> !text.isEmpty())));
  }

  private static CredentialChoice made(String proof, String tenant, String client, String value) {
    return switch (proof) {
      case "AZURE_FEDERATED_TOKEN_FILE" -> new WorkloadIdentity(tenant, client, value);
      case "AZURE_CLIENT_SECRET" -> new ClientSecret(tenant, client, value);
      default -> new ClientCertificate(tenant, client, value);
    };
  }

  private static Reading chosen(CredentialChoice choice) {
    return new Reading(Optional.of(choice), List.of());
  }
}
