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

  Document document() {
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("type", "Microsoft.Compute/virtualMachineScaleSets")
        .with("location", location)
        .with(
            "properties",
            Document.of("orchestrationMode", uniform ? "Uniform" : "Flexible")
                .with("provisioningState", "Succeeded")
                .with("singlePlacementGroup", false));
  }
}
