package io.tidemark.provider.aws.ec2;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.InProcessClient;
import io.tidemark.metrics.Meters;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.PoolId;
import io.tidemark.testing.Hang;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

/** Doors to the strict EC2, for tests of other packages. */
public final class EmulatedDoors {
  /** A creation with one single. */
  public static final CreateInterfaceRequest REQUEST =
      new CreateInterfaceRequest(
          new PoolId("subnet-1"),
          "made by a test",
          List.of(),
          Map.of(),
          1,
          0,
          0,
          ConnectionTracking.DEFAULT,
          "t");

  private static final URI NOWHERE = URI.create("http://ec2.invalid");

  private EmulatedDoors() {}

  /** By way of the real SDK, without a socket. */
  public static Ec2Api sdk(Ec2Handler handler, String account) {
    return sdk(InProcessClient.of(handler), account);
  }

  static Ec2Api sdk(SdkHttpClient http) {
    return sdk(http, Emulated.ACCOUNT);
  }

  private static Ec2Api sdk(SdkHttpClient http, String account) {
    RenewableCredentials credentials = RenewableCredentials.fixed(Emulated.account(account));
    return new SdkEc2Api(Emulated.client(http, NOWHERE, credentials), credentials, 0);
  }

  /** Calls whose requests take so long, of an account that nothing else paces. */
  public static CloudCalls calls(VirtualTime time, Duration travel, CallPolicy policy) {
    EffectModel effects = EffectModel.reliable(travel, Duration.ZERO);
    return calls(CloudCallsConfig.defaults(), time, effects, new Random(1), Meters.none(), policy);
  }

  /** Calls of a process that has just started. */
  public static CloudCalls calls(
      CloudCallsConfig config,
      VirtualTime time,
      EffectModel effects,
      Random random,
      Meters meters,
      CallPolicy policy) {
    return new StandardCloudCallsFactory(
            config, time, time.effects(effects), random, meters, LearnedRates.NONE, Fence.OPEN)
        .create(policy);
  }

  /** The clients of a process that reach an emulator at this place, in so many connections. */
  public static Ec2Clients clients(URI at, String region, int connections) {
    return new Ec2Clients(
        settings(at), region, connections, () -> Emulated.account(Emulated.ACCOUNT));
  }

  /** Without a role; requests may take as long as a test can hang. */
  public static ConnectionSettings settings(URI at) {
    return new ConnectionSettings(
        Optional.of(at),
        Optional.of(at),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Hang.LIMIT,
        Hang.LIMIT);
  }

  /** An interface as EC2 shows it, attached to an instance. */
  public static AwsNetworkInterface attached(String id, String instance) {
    return InterfaceAnswer.read(
            NetworkInterface.builder()
                .networkInterfaceId(id)
                .attachment(a -> a.attachmentId("attach-1").instanceId(instance).deviceIndex(1))
                .build())
        .orElseThrow();
  }
}
