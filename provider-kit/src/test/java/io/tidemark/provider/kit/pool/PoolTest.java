package io.tidemark.provider.kit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.PoolId;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a pool may have")
class PoolTest {
  @ParameterizedTest(
      name =
          "{0} free, usable {1}, cooling {2}, fragmented {3}: address {4}, interface {5}, block {6}")
  @DisplayName("addresses, interfaces and blocks need room, and nothing that was refused lately")
  @CsvSource({
    " 0, true,  false, false, false, false, false",
    "-3, true,  false, false, false, false, false",
    " 1, true,  false, false, true,  false, false",
    " 2, true,  false, false, true,  true,  false",
    "15, true,  false, false, true,  true,  false",
    "16, true,  false, false, true,  true,  true",
    "16, true,  false, true,  true,  true,  false",
    "16, true,  true,  false, false, false, false",
    "16, false, false, false, false, false, false",
  })
  void mayHave(
      int free,
      boolean usable,
      boolean cooling,
      boolean fragmented,
      boolean address,
      boolean newInterface,
      boolean block) {
    Pool<String> pool =
        new Pool<>(
            new PoolId("a"),
            "zone",
            "subnet",
            usable,
            free,
            OptionalInt.empty(),
            cooling,
            fragmented);
    assertThat(pool.mayHaveAddresses()).as("address").isEqualTo(address);
    assertThat(pool.hasRoom()).as("interface").isEqualTo(newInterface);
    assertThat(pool.mayHaveBlocks()).as("block").isEqualTo(block);
  }
}
