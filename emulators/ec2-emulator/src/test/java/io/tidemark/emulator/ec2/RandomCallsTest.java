package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2SubnetAddresses;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@DisplayName("After any sequence of calls the books balance")
class RandomCallsTest {
  private static final int SEQUENCES = 120;
  private static final int SEQUENCES_LONG = 1200;
  private static final int CALLS = 40;
  private static final List<String> TYPES = List.of("t3.micro", "t3.small", "m5.large", "t2.small");

  @Test
  @DisplayName("120 random sequences: one owner per address, counts equal sets, limits hold")
  void sequences() {
    pass(SEQUENCES);
  }

  @Test
  @Tag("long")
  @DisplayName("1,200 random sequences: one owner per address, counts equal sets, limits hold")
  void manySequences() {
    pass(SEQUENCES_LONG);
  }

  private static void pass(int sequences) {
    int done = 0;
    int refused = 0;
    for (long seed = 1; seed <= sequences; seed++) {
      Sequence sequence = new Sequence(seed);
      try {
        sequence.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", " + sequence.last, e);
      }
      done += sequence.done;
      refused += sequence.refused;
    }
    assertThat(done).as("calls that were done").isGreaterThan(sequences * CALLS / 4);
    assertThat(refused).as("calls that were refused").isGreaterThan(sequences * CALLS / 10);
  }

  private static final class Sequence {
    private final SplittableRandom random;
    private final World world;
    private String last = "nothing called yet";
    private int done;
    private int refused;

    Sequence(long seed) {
      random = new SplittableRandom(seed);
      DelayRange some = DelayRange.upTo(Duration.ofSeconds(20));
      world =
          new World(
              Ec2ModelOptions.of(seed, Ec2InstanceTypes.bundled())
                  .withChoice(
                      random.nextBoolean()
                          ? Ec2SubnetAddresses.Choice.LOWEST
                          : Ec2SubnetAddresses.Choice.SCATTERED)
                  .withDelay(
                      some, Delay.START, Delay.STOP, Delay.TERMINATE, Delay.ATTACH, Delay.DETACH));
      String vpc = world.vpc("10.0.0.0/24");
      world.subnet(vpc, "10.0.0.0/28");
      world.subnet(vpc, "10.0.0.64/26");
      world.subnet(vpc, "10.0.0.128/25");
    }

    void run() {
      for (int i = 0; i < CALLS; i++) {
        step();
        Books.check(world.region());
      }
      world.pass(Duration.ofHours(3));
      world.call("DescribeVpcs");
      Books.check(world.region());
    }

    private void step() {
      switch (random.nextInt(13)) {
        case 0, 1 -> create();
        case 2 -> send("DeleteNetworkInterface", "NetworkInterfaceId=" + eni());
        case 3, 4 ->
            send(
                "AttachNetworkInterface",
                "NetworkInterfaceId=" + eni(),
                "InstanceId=" + instance(),
                "DeviceIndex=" + random.nextInt(4));
        case 5 -> send("DetachNetworkInterface", "AttachmentId=" + attachment());
        case 6 -> assign();
        case 7 -> unassign();
        case 8 -> launch();
        case 9 -> send("StopInstances", "InstanceId.1=" + instance());
        case 10 -> send("StartInstances", "InstanceId.1=" + instance());
        case 11 -> send("TerminateInstances", "InstanceId.1=" + instance());
        default -> world.pass(Duration.ofSeconds(random.nextInt(30)));
      }
    }

    /** With a client token: the same request gets the same answer and changes nothing. */
    private void create() {
      String parameters =
          "SubnetId=" + subnet() + "&ClientToken=token-" + random.nextInt(1000) + "&" + count();
      parameters += "=" + (1 + random.nextInt(4));
      Reply first = send("CreateNetworkInterface", parameters);
      if (first.result() instanceof Reply.Answered answered) {
        long before = world.region().interfaces().present().count();
        Reply again = send("CreateNetworkInterface", parameters);
        assertThat(((Reply.Answered) again.result()).answer()).isSameAs(answered.answer());
        assertThat(world.region().interfaces().present().count()).isEqualTo(before);
      }
    }

    private void assign() {
      send(
          "AssignPrivateIpAddresses",
          "NetworkInterfaceId=" + eni(),
          count() + "=" + (1 + random.nextInt(4)));
    }

    private void unassign() {
      List<Ec2NetworkInterface> all = world.region().interfaces().present().toList();
      if (all.isEmpty()) {
        return;
      }
      Ec2NetworkInterface from = all.get(random.nextInt(all.size()));
      if (!from.addresses().prefixes().isEmpty()) {
        send(
            "UnassignPrivateIpAddresses",
            "NetworkInterfaceId=" + from.id(),
            "Ipv4Prefix.1=" + from.addresses().prefixes().get(0).toString());
      } else {
        send(
            "UnassignPrivateIpAddresses",
            "NetworkInterfaceId=" + from.id(),
            "PrivateIpAddress.1="
                + from.addresses().ipv4().reduce((a, b) -> b).orElseThrow().toString());
      }
    }

    private void launch() {
      send(
          "RunInstances",
          "ImageId=" + World.IMAGE + "&MinCount=1",
          "InstanceType=" + TYPES.get(random.nextInt(TYPES.size())),
          "MaxCount=" + (1 + random.nextInt(2)),
          "NetworkInterface.1.DeviceIndex=0&NetworkInterface.1.SubnetId=" + subnet(),
          "NetworkInterface.1." + count() + "=" + random.nextInt(3));
    }

    private String count() {
      return random.nextBoolean() ? "Ipv4PrefixCount" : "SecondaryPrivateIpAddressCount";
    }

    private String subnet() {
      return any(world.region().subnets());
    }

    private String eni() {
      return any(world.region().interfaces());
    }

    private String instance() {
      return any(world.region().instances());
    }

    private String attachment() {
      List<String> ids =
          world
              .region()
              .interfaces()
              .present()
              .flatMap(present -> present.attachment().stream())
              .map(attachment -> attachment.id())
              .toList();
      return ids.isEmpty() ? "eni-attach-00000000" : ids.get(random.nextInt(ids.size()));
    }

    /** Any of them, or one that does not exist when there is none. */
    private String any(Table<? extends Resource> table) {
      List<String> ids = table.present().map(Resource::id).toList();
      return ids.isEmpty()
          ? table.type().prefix() + "00000000"
          : ids.get(random.nextInt(ids.size()));
    }

    private Reply send(String action, String... parameters) {
      last = action + " " + String.join(" ", parameters);
      Reply reply = world.send(action, parameters);
      boolean answered = reply.result() instanceof Reply.Answered;
      done += answered ? 1 : 0;
      refused += answered ? 0 : 1;
      return reply;
    }
  }
}
