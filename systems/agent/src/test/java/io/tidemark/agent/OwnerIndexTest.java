package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolSnapshot.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The addresses in use by owner")
class OwnerIndexTest {
  private final OwnerIndex index = new OwnerIndex();
  private int positions;

  private AddressRecord add(String owner) {
    AddressRecord record = new AddressRecord(positions++, Held.IN_USE);
    record.owner = owner;
    index.add(record);
    return record;
  }

  @Test
  @DisplayName("Owners whose names have the same hash are different owners")
  void sameHash() {
    assertThat("BB".hashCode()).isEqualTo("Aa".hashCode());
    AddressRecord one = add("Aa");
    AddressRecord other = add("BB");
    assertThat(index.of("Aa")).containsExactly(one);
    assertThat(index.of("BB")).containsExactly(other);
  }

  @Test
  @DisplayName("It says what a map of lists says, however many there are")
  void manyOwners() {
    Random random = new Random(1);
    Map<String, List<AddressRecord>> model = new HashMap<>();
    List<AddressRecord> all = new ArrayList<>();
    for (int step = 0; step < 3_000; step++) {
      if (all.isEmpty() || random.nextInt(3) > 0) {
        AddressRecord added = add("pod-" + random.nextInt(200));
        all.add(added);
        model.computeIfAbsent(added.owner, owner -> new ArrayList<>()).add(added);
      } else {
        AddressRecord removed = all.remove(random.nextInt(all.size()));
        index.remove(removed);
        model.getOrDefault(removed.owner, List.of()).remove(removed);
      }
    }
    assertThat(index.size()).isEqualTo(all.size());
    model.forEach(
        (owner, own) -> assertThat(index.of(owner)).containsExactlyInAnyOrderElementsOf(own));
  }
}
