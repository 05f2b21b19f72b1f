package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import java.util.Locale;

/** Names of regions, which may be written as for people: "West Europe" is westeurope. Pure. */
final class Locations {
  private Locations() {}

  static String normal(String location) {
    return location.replace(" ", "").toLowerCase(Locale.ROOT);
  }

  /** Refuses a body that names another region than the one where the resource is. */
  static void requireSame(Document body, String location, ArmId id) {
    if (body.text("location").filter(each -> !normal(each).equals(normal(location))).isPresent()) {
      throw Refusal.of(
          409,
          "InvalidResourceLocation",
          "The resource "
              + id
              + " already exists in location '"
              + location
              + "'. A resource with the same name cannot be created in location '"
              + body.text("location").orElse("")
              + "'.");
    }
  }
}
