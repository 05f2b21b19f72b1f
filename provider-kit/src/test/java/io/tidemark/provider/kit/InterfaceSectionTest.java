package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A cloud's section of a node's status")
class InterfaceSectionTest {
  private record Section(Map<String, String> entries) {}

  private final List<String> made = new ArrayList<>();
  private final InterfaceSection<Held, String, Section> section =
      new InterfaceSection<>((SortedMap<String, String> all) -> new Section(all), Section::entries);

  private static InstanceView<Held> view(int... singles) {
    List<Held> cards = new ArrayList<>();
    for (int i = 0; i < singles.length; i++) {
      cards.add(Held.holding(new InterfaceId("eni-" + i), singles[i]));
    }
    return new InstanceView<>(1, cards, false);
  }

  private Section of(InstanceView<Held> view, Object networks, Object options) {
    made.clear();
    return section.of(
        view,
        networks,
        options,
        each -> {
          made.add(each.id().text());
          return each.singles().isEmpty()
              ? Optional.empty()
              : Optional.of(networks + " " + options + " " + each.singles().size());
        });
  }

  @Test
  @DisplayName("the same object while nothing changes; then unchanged entries are kept")
  void reused() {
    InstanceView<Held> first = view(1, 2, 0);
    Section before = of(first, "nets", "x");
    assertThat(before.entries()).containsOnlyKeys("eni-0", "eni-1");
    assertThat(of(first, "nets", "x")).isSameAs(before);
    assertThat(made).isEmpty();
    Section after = of(view(1, 3, 4), "nets", "x");
    assertThat(made).containsExactly("eni-1", "eni-2");
    assertThat(after.entries())
        .isEqualTo(Map.of("eni-0", "nets x 1", "eni-1", "nets x 3", "eni-2", "nets x 4"));
    assertThat(of(view(1), "nets", "x").entries()).containsOnlyKeys("eni-0");
    assertThat(made).isEmpty();
  }

  @Test
  @DisplayName("other networks or options make all entries anew")
  void rebuilt() {
    InstanceView<Held> view = view(1, 2);
    Section before = of(view, "nets", "x");
    assertThat(of(view, "nets", "y").entries()).containsEntry("eni-0", "nets y 1");
    assertThat(made).containsExactly("eni-0", "eni-1");
    assertThat(of(view, "others", "y").entries()).containsEntry("eni-1", "others y 2");
    assertThat(made).containsExactly("eni-0", "eni-1");
    assertThat(of(view, "nets", "x")).isEqualTo(before);
  }

  @Test
  @DisplayName("addresses are the primary one where it serves, singles, and those of blocks")
  void addresses() {
    Cidr block = Cidr.parse("10.1.0.16/28");
    Held each = Held.of(0, "pool", 2, 0).plus(AddressSet.of(), List.of(block));
    List<IpAddress> all = InterfaceSection.addresses(each, true);
    assertThat(all).hasSize(1 + 2 + 16).startsWith(IpAddress.parse("10.2.0.0"));
    assertThat(all).endsWith(block.address(15)).contains(block.address(0));
    assertThat(InterfaceSection.addresses(each, false)).isEqualTo(all.subList(1, 19));
  }
}
