package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipelineBuilder;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.util.function.Supplier;

/** Doors to an emulated Resource Manager in the same process. */
public final class ArmDoors {
  /** The address of the emulator. */
  public static final String ORIGIN = "https://management.azure.com";

  private ArmDoors() {}

  /** Through azure-core's pipeline, as the product asks. */
  public static ArmApi pipeline(ArmHandler handler, Supplier<String> token, TimeSource time) {
    return api(new EmulatorTransport(handler), URI.create(ORIGIN), token, time);
  }

  /** The same over a connection; instances are not asked for blocks. */
  public static ArmApi api(
      HttpClient connection, URI endpoint, Supplier<String> token, TimeSource time) {
    return api(connection, endpoint, token, time, false);
  }

  /** The same. */
  public static ArmApi api(
      HttpClient connection,
      URI endpoint,
      Supplier<String> token,
      TimeSource time,
      boolean blocksOnScaleSets) {
    return new PipelineArmApi(
        new HttpPipelineBuilder().httpClient(connection).build(),
        endpoint,
        token,
        time,
        blocksOnScaleSets);
  }
}
