package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import java.util.List;

/**
 * A scale set.
 *
 * @param uniform whether its instances have numbers; those of a Flexible set are virtual machines
 * @param interfaceModels what each new or upgraded instance has
 */
record ScaleSet(ArmId id, String location, boolean uniform, List<Document> interfaceModels) {
  ScaleSet {
    interfaceModels = List.copyOf(interfaceModels);
  }

  /**
   * As a GET shows it.
   *
   * @param capacity how many instances it has
   */
  Document document(int capacity) {
    Document properties =
        Document.of("orchestrationMode", uniform ? "Uniform" : "Flexible")
            .with("provisioningState", "Succeeded")
            .with("singlePlacementGroup", false)
            .with("upgradePolicy", Document.of("mode", "Manual"));
    if (!interfaceModels.isEmpty()) {
      properties =
          properties.with(
              "virtualMachineProfile",
              Document.of(
                  "networkProfile",
                  Document.of("networkInterfaceConfigurations", interfaceModels)));
    }
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("type", "Microsoft.Compute/virtualMachineScaleSets")
        .with("location", location)
        .with(
            "sku",
            Document.of("name", "Standard_D4s_v5")
                .with("tier", "Standard")
                .with("capacity", capacity))
        .with("properties", properties);
  }
}
