package io.tidemark.provider.azure.identity;

import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Which credential is used, decided by what is set (6.2, Z46): never a chain that tries one after
 * the other. Immutable; as text it shows no secret.
 *
 * @param tenant the tenant's id; empty where the metadata service or an emulator gives the token
 * @param client the client's id; empty for the system's identity of the machine
 * @param proof that we are the client: a secret, or the file of a token or certificate
 */
public record CredentialChoice(Kind kind, String tenant, String client, String proof) {
  private static final String CLIENT = "AZURE_CLIENT_ID";
  private static final String TENANT = "AZURE_TENANT_ID";

  /** No secret at all: the token of an emulator, the only one that goes over plain http (Z3). */
  public static final CredentialChoice EMULATOR = new CredentialChoice(Kind.EMULATOR, "", "", "");

  /** How we prove who we are. The first one whose variable is set is chosen. */
  public enum Kind {
    /** Workload identity of a cluster: a token file of Kubernetes, read again for each token. */
    WORKLOAD_IDENTITY("AZURE_FEDERATED_TOKEN_FILE"),
    CLIENT_SECRET("AZURE_CLIENT_SECRET"),
    /** By its file. */
    CLIENT_CERTIFICATE("AZURE_CLIENT_CERTIFICATE_PATH"),
    /** The machine's metadata service knows it. */
    MACHINE(""),
    EMULATOR("");

    /** Of the environment, with the proof; empty where none is needed. */
    private final String variable;

    Kind(String variable) {
      this.variable = variable;
    }
  }

  /** A user-assigned identity of the machine by its client id; the system's if that is empty. */
  public static CredentialChoice machine(String client) {
    return new CredentialChoice(Kind.MACHINE, "", client, "");
  }

  /**
   * The choice for these settings.
   *
   * @param environment of the process
   * @param userAssigned {@code azure-user-assigned-identity-id}
   * @param incomplete receives of half a credential the variable that is set, and each that it
   *     needs
   */
  public static CredentialChoice of(
      Map<String, String> environment, String userAssigned, BiConsumer<String, String> incomplete) {
    if (!userAssigned.isEmpty()) {
      return machine(userAssigned);
    }
    String client = environment.getOrDefault(CLIENT, "");
    String tenant = environment.getOrDefault(TENANT, "");
    for (Kind kind : Kind.values()) {
      String proof = environment.getOrDefault(kind.variable, "");
      if (!proof.isEmpty()) {
        if (client.isEmpty()) {
          incomplete.accept(kind.variable, CLIENT);
        }
        if (tenant.isEmpty()) {
          incomplete.accept(kind.variable, TENANT);
        }
        return new CredentialChoice(kind, tenant, client, proof);
      }
    }
    return machine(client);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case EMULATOR -> "token of an emulator";
      case MACHINE ->
          client.isEmpty() ? "identity of the machine" : "user-assigned identity " + client;
      default -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + client;
    };
  }
}
