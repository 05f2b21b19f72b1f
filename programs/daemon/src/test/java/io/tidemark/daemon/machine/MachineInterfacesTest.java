package io.tidemark.daemon.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.SystemTime;
import io.tidemark.time.VirtualTime;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The interfaces of this machine")
class MachineInterfacesTest {
  private final VirtualTime world = new VirtualTime(0);
  private Set<String> macs = Set.of("02aabbccddee");
  private boolean broken;
  private int reads;

  private final MachineInterfaces interfaces =
      new MachineInterfaces(
          world,
          () -> {
            reads++;
            if (broken) {
              throw new SocketException("broken");
            }
            return macs;
          });

  private boolean isPresent(String mac) {
    return interfaces.present("eni-1", mac);
  }

  @ParameterizedTest(name = "A83 {2}")
  @CsvSource({
    "02:aa:bb:cc:dd:ee, true, one that is here",
    "02-AA-BB-CC-DD-EE, true, as Azure writes it",
    "02AABBCCDDEE, true, without separators",
    "02:aa:bb:cc:dd:ef, false, one that is not here",
    "'', true, one that the status does not tell",
  })
  void present(String mac, boolean present, String why) {
    assertThat(isPresent(mac)).as(why).isEqualTo(present);
  }

  @Test
  @DisplayName("A83 The system is asked once a second at most, and then a new interface is here")
  void refreshed() {
    assertThat(isPresent("02:00:00:00:00:01")).isFalse();
    macs = Set.of("020000000001");
    world.runUntil(Duration.ofMillis(999).toNanos());
    assertThat(isPresent("02:00:00:00:00:01")).isFalse();
    assertThat(reads).isEqualTo(1);
    world.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(isPresent("02:00:00:00:00:01")).isTrue();
    assertThat(isPresent("02:aa:bb:cc:dd:ee")).isFalse();
    assertThat(reads).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "A83 While the system does not answer, the last list counts; before one, none is here")
  void broken() {
    broken = true;
    assertThat(isPresent("02:aa:bb:cc:dd:ee")).isFalse();
    broken = false;
    world.runUntil(Duration.ofSeconds(1).toNanos());
    assertThat(isPresent("02:aa:bb:cc:dd:ee")).isTrue();
    broken = true;
    world.runUntil(Duration.ofSeconds(2).toNanos());
    assertThat(isPresent("02:aa:bb:cc:dd:ee")).isTrue();
    assertThat(reads).isEqualTo(3);
  }

  @Test
  @DisplayName("A83 Every interface of the system that has a MAC is here")
  void ofSystem() throws SocketException {
    MachineInterfaces system = MachineInterfaces.of(SystemTime.instance());
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      byte[] mac = each.getHardwareAddress();
      assertThat(mac == null || system.present("", HexFormat.ofDelimiter(":").formatHex(mac)))
          .as(each.getName())
          .isTrue();
    }
    assertThat(system.present("", "ff:ff:ff:ff:ff:fe")).isFalse();
  }
}
