package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * A public IP address of a prefix: a resource of its own, or a part of a Uniform instance's
 * interface. Immutable.
 *
 * @param rest the client's members that are not modelled, {@code properties} among them
 * @param prefix the prefix that it is of
 * @param configuration the IP configuration that uses it
 */
public record ArmPublicAddress(
    ArmId id,
    Document rest,
    ArmId prefix,
    IpAddress address,
    Optional<ArmId> configuration,
    String etag,
    String provisioningState) {

  public ArmPublicAddress withProvisioningState(String changed, String newEtag) {
    return new ArmPublicAddress(id, rest, prefix, address, configuration, newEtag, changed);
  }

  public ArmPublicAddress withRest(Document changed) {
    return new ArmPublicAddress(
        id, changed, prefix, address, configuration, etag, provisioningState);
  }

  public ArmPublicAddress withConfiguration(Optional<ArmId> changed, String newEtag) {
    return new ArmPublicAddress(id, rest, prefix, address, changed, newEtag, provisioningState);
  }

  /** Whether an operation on it goes on. */
  public boolean isInWork() {
    return provisioningState.equals("Updating") || provisioningState.equals("Deleting");
  }

  /** The region, as it was given. */
  public String location() {
    return rest.text("location").orElse("");
  }

  /** Whether it goes with the machine that uses it. */
  public boolean isDeletedWithMachine() {
    return rest.object("properties").text("deleteOption").filter("Delete"::equals).isPresent();
  }

  /** As a GET shows it; without the address while it is being made. */
  public Document document() {
    Document properties =
        rest.object("properties")
            .with("provisioningState", provisioningState)
            .with("publicIPAllocationMethod", "Static")
            .with("publicIPPrefix", Document.reference(prefix.text()));
    if (!provisioningState.equals("Updating")) {
      properties = properties.with("ipAddress", address.toString());
    }
    if (configuration.isPresent()) {
      properties =
          properties.with("ipConfiguration", Document.reference(configuration.get().text()));
    }
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("etag", etag)
        .and(rest)
        .with("type", "Microsoft.Network/publicIPAddresses")
        .with("properties", properties);
  }
}
