package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.Configuration;
import io.tidemark.emulator.arm.request.ArmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A virtual machine, or an instance of a Uniform scale set, as the compute provider holds it. The
 * model of an instance names IP configurations but never their addresses. Not thread-safe.
 */
final class ArmMachine {
  private static final String ETAGS_SINCE = "2023-09-01";
  private static final String BLOCKS_SINCE = "2026-07-02";

  final ArmId id;
  final String location;
  private final String vmId;

  /** Whether it is an instance of a Uniform set. */
  final boolean uniform;

  private final Optional<ArmId> set;

  final List<ArmId> nics = new ArrayList<>();
  private Document rest;
  private List<Document> interfaceModels = List.of();
  private Power power = Power.RUNNING;
  private String provisioningState = "Succeeded";
  private String failure = "";
  private int version = 1;

  /**
   * A machine that runs.
   *
   * @param rest members beside those that are modelled, {@code properties} among them
   */
  ArmMachine(ArmId id, String location, String vmId, Document rest) {
    this.id = id;
    this.location = location;
    this.vmId = vmId;
    this.uniform = id.name("virtualMachineScaleSets").isPresent();
    this.set =
        uniform
            ? Optional.of(id.parent())
            : rest.object("properties")
                .object("virtualMachineScaleSet")
                .text("id")
                .flatMap(ArmId::parse);
    this.rest = rest;
  }

  boolean isOf(ArmId id) {
    return set.filter(id::equals).isPresent();
  }

  /** The interfaces of a Uniform instance's model; none for other machines. */
  List<Document> interfaceModels() {
    return interfaceModels;
  }

  void setInterfaceModels(List<Document> changed) {
    interfaceModels = List.copyOf(changed);
  }

  Document rest() {
    return rest;
  }

  void setRest(Document changed) {
    rest = changed;
  }

  Power power() {
    return power;
  }

  void setPower(Power changed) {
    power = changed;
  }

  String provisioningState() {
    return provisioningState;
  }

  void setProvisioningState(String changed) {
    provisioningState = changed;
    failure = "";
  }

  /** Failed for the reason of this code, which the instance view shows. */
  void fail(String code) {
    provisioningState = "Failed";
    failure = "/" + code;
  }

  boolean isDeleting() {
    return provisioningState.equals("Deleting");
  }

  String etag() {
    return "\"" + version + "\"";
  }

  void changed() {
    version++;
  }

  /**
   * As a GET shows it.
   *
   * @param expand what the client asked for by {@code $expand}, in lower case
   * @param apiVersion the version of the API, which may know neither etags nor blocks
   */
  Document document(Set<String> expand, String apiVersion) {
    Document properties =
        rest.object("properties")
            .with("vmId", vmId)
            .with("provisioningState", provisioningState)
            .with(
                "networkProfile",
                Document.of("networkInterfaces", nics.stream().map(this::attached).toList()));
    if (uniform) {
      properties =
          properties
              .with("latestModelApplied", true)
              .with(
                  "networkProfileConfiguration",
                  Document.of("networkInterfaceConfigurations", shownModels(apiVersion)));
    }
    if (!expand.contains("userdata")) {
      properties = properties.without("userData");
    }
    if (expand.contains("instanceview")) {
      properties = properties.with("instanceView", instanceView());
    }
    Document shown =
        Document.of("name", uniform ? setName() + "_" + id.name() : id.name())
            .with("id", id.text())
            .with(
                "type",
                uniform
                    ? "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"
                    : "Microsoft.Compute/virtualMachines")
            .with("location", location);
    if (uniform) {
      shown = shown.with("instanceId", id.name());
    }
    if (knowsEtags(apiVersion)) {
      shown = shown.with("etag", etag());
    }
    return shown.and(rest).with("properties", properties);
  }

  private List<Document> shownModels(String apiVersion) {
    return knowsBlocks(apiVersion)
        ? interfaceModels
        : interfaceModels.stream().map(ArmMachine::withoutLengths).toList();
  }

  private static Document withoutLengths(Document model) {
    return model.withEach(
        "ipConfigurations", each -> Configuration.of(each).withoutBlock().document());
  }

  /** Which of several interfaces is primary is told where there are several. */
  private Document attached(ArmId nic) {
    Document reference = Document.reference(nic.text());
    return nics.size() == 1
        ? reference
        : reference.withProperty("primary", nic.equals(nics.get(0)));
  }

  private String setName() {
    return id.name("virtualMachineScaleSets").orElse("");
  }

  Document instanceView() {
    return Document.of("statuses", statuses());
  }

  /** Of its provisioning and of its power. */
  List<Document> statuses() {
    Document provisioning =
        Document.of(
                "code", "ProvisioningState/" + provisioningState.toLowerCase(Locale.ROOT) + failure)
            .with("level", failure.isEmpty() ? "Info" : "Error");
    return List.of(provisioning, Document.of("code", power.code()).with("level", "Info"));
  }

  /** For people. */
  Document summary() {
    return Document.of("id", id.text())
        .with("provisioningState", provisioningState)
        .with("power", power.code())
        .with("etag", etag());
  }

  static boolean knowsEtags(String apiVersion) {
    return apiVersion.compareTo(ETAGS_SINCE) >= 0;
  }

  static boolean knowsBlocks(String apiVersion) {
    return apiVersion.compareTo(BLOCKS_SINCE) >= 0;
  }
}
