package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The indices of addresses that are asked for in ascending order")
class AddressCursorTest {
  @Test
  @DisplayName("They are those of the set, in any order and with gaps")
  void sameAsSet() {
    Random random = new Random(1);
    for (int round = 0; round < 100; round++) {
      AddressSet set = random(random);
      AddressCursor cursor = new AddressCursor(set);
      for (IpAddress ip : random(random)) {
        assertThat(cursor.indexOf(ip)).isEqualTo(Math.max(-1, set.indexOf(ip)));
      }
      for (int i = 0; i < 50; i++) {
        IpAddress ip = IpAddress.parse("10.0.0.0").plus(random.nextInt(300));
        assertThat(cursor.indexOf(ip)).isEqualTo(Math.max(-1, set.indexOf(ip)));
      }
    }
  }

  private static AddressSet random(Random random) {
    AddressSet.Builder builder = AddressSet.builder();
    int share = 1 + random.nextInt(20);
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(share) == 0) {
        builder.add(IpAddress.parse("10.0.0.0").plus(i));
      }
    }
    return builder.build();
  }
}
