package io.tidemark.provider.azure.network;

import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.util.function.Supplier;

/** Doors to an emulated Resource Manager in the same process. */
public final class ArmDoors {
  /** What the emulator is called by. */
  public static final String ORIGIN = "https://management.azure.com";

  private ArmDoors() {}

  /** Through azure-core's pipeline, as the product asks. */
  public static ArmApi pipeline(ArmHandler handler, Supplier<String> token, TimeSource time) {
    return new PipelineArmApi(new EmulatorTransport(handler), URI.create(ORIGIN), token, time);
  }
}
