package io.tidemark.provider.aws.ec2;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.InProcessClient;
import java.net.URI;

/** Doors to the strict EC2, for tests of other packages. */
public final class EmulatedDoors {
  private static final URI NOWHERE = URI.create("http://ec2.invalid");

  private EmulatedDoors() {}

  /** By way of the real SDK, without a socket. */
  public static Ec2Api sdk(Ec2Handler handler, String account) {
    RenewableCredentials credentials = RenewableCredentials.fixed(Emulated.account(account));
    return new SdkEc2Api(
        Emulated.client(InProcessClient.of(handler), NOWHERE, credentials),
        credentials,
        new PageSizes(0));
  }

  /** The clients of a process, with the credentials of an account of the strict EC2. */
  public static Ec2Clients clients(ConnectionSettings settings, String account) {
    return Ec2Clients.open(settings, () -> Emulated.account(account));
  }

  /** Two accounts as one. */
  public static Ec2Api split(Ec2Api network, Ec2Api instances, String instancesAccount) {
    return new SplitEc2Api(network, instances, instancesAccount);
  }
}
