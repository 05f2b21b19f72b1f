package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.MissingAddresses.Read;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A used address that the cloud does not show")
class MissingAddressesTest {
  private static final AddressSet BOTH = AddressSet.ofRange(Cidr.parse("10.0.0.2/31"));
  private static final Inventory.Known NOTHING =
      new Inventory.Known(1, List.of(), new InterfaceStatistics(0, 0, 0, 0, 0, Optional.empty()));

  private final BareEnvironment bare = new BareEnvironment();

  private static AddressSet addresses(String letters) {
    AddressSet.Builder named = AddressSet.builder();
    for (IpAddress each : BOTH) {
      if (letters.contains(each.equals(BOTH.at(0)) ? "A" : "B")) {
        named.add(each);
      }
    }
    return named.build();
  }

  /**
   * Looks one after the other, such as "A 4@170 4@160": A is missing at 170, four reads have begun,
   * the last one ended began at 160. "?" is a moment at which the instance is not known.
   */
  @DisplayName("is gone by a read that began the horizon of 60 after it was first missed")
  @ParameterizedTest(name = "{0}: {1}: missed {2}, gone {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          not by the read that did not show it | A 3@100 0@0; A 3@500 3@500               | A | -
          not by one that began too early      | A 3@100 0@0; A 4@500 4@159               | A | -
          by one that began later              | A 3@100 0@0; A 4@170 4@160               | - | A
          each has a moment of its own         | A 3@100 0@0; A 4@160 4@160; AB 4@170 4@160; AB 5@229 5@229 | B | A
          and its own read                     | A 3@100 0@0; A 4@160 4@160; AB 4@170 4@160; AB 5@230 5@230 | - | AB
          what is gone stays, the rest is forgotten | A 3@100 0@0; A 4@160 4@160; AB 4@170 4@160; ? | - | A
          begins anew when it was shown        | A 3@100 0@0; - 4@150 4@150; A 5@190 5@190 | A | -
          is back when it is shown             | A 3@100 0@0; A 4@160 4@160; - 5@170 5@170 | - | -
          """)
  void gone(String behaviour, String looks, String missed, String gone) {
    bare.provider.readHorizon = Duration.ofNanos(60);
    MissingAddresses missing =
        new MissingAddresses("node1", bare.of(EngineConfig.defaults()), AddressSet.of());
    for (String look : looks.split("; ", -1)) {
      String[] words = look.split(" ", -1);
      if (words[0].equals("?")) {
        missing.instanceUnknown();
      } else {
        missing.observe(NOTHING, addresses(words[0]), read(words[1]), read(words[2]));
      }
    }
    assertThat(missing.missed()).as(behaviour).isEqualTo(addresses(missed));
    assertThat(missing.mayLeave()).as(behaviour).isEqualTo(addresses(gone));
  }

  private static Read read(String text) {
    String[] numbers = text.split("@", -1);
    return new Read(Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]));
  }
}
