package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.WritableResource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a write adds to a model, and removes from it (Z14, Z22, N49)")
class ConfigurationEditTest {
  private static final IpAddress LEFT = IpAddress.parse("10.0.0.9");
  private static final IpConfiguration INCOMPLETE = configuration("Tidemark-left", "failed");

  private static IpConfiguration configuration(String name, String state) {
    return new IpConfiguration(
        name,
        false,
        false,
        Optional.of(Cidr.single(LEFT)),
        false,
        Optional.empty(),
        state,
        false,
        "");
  }

  private static WritableResource base(Form form, String state, List<IpConfiguration> all) {
    return new WritableResource(
        form.target.resource(),
        "{}",
        "\"etag\"",
        state,
        "",
        Optional.empty(),
        Optional.empty(),
        List.of(new WritableResource.Interface(form.target.name(), all)));
  }

  private static NewConfiguration single(String name) {
    return new NewConfiguration(name, false);
  }

  private static ConfigurationEdit adding(AddressSet usable, String... names) {
    return ConfigurationEdit.adding(
        Stream.of(names).map(ConfigurationEditTest::single).toList(), usable);
  }

  private static Optional<InterfaceEdit.Send> on(WritableResource base, InterfaceEdit edit) {
    return edit.on(base, base.interfaces().get(0)).answer().orElseThrow();
  }

  private static List<String> added(WritableResource base, InterfaceEdit edit) {
    ConfigurationChange change = on(base, edit).orElseThrow().change();
    return change.added().stream().map(NewConfiguration::name).toList();
  }

  @EachForm
  @DisplayName("AZ-N24 a repetition sends the same: what comes anyway is in place of one, once")
  void repetition(Form form) {
    WritableResource base = base(form, "failed", List.of(INCOMPLETE));
    ConfigurationEdit edit =
        adding(AddressSet.of(), "a", "b", "c")
            .repairing(
                Set.of(), form == Form.UNIFORM ? List.of(single(INCOMPLETE.name())) : List.of());
    assertThat(added(base, edit)).containsExactly("b", "c");
    InterfaceEdit again = on(base, edit).orElseThrow().expected();
    assertThat(added(base, again)).containsExactly("b", "c");
    assertThat(on(base, again).orElseThrow().expected().names()).isEqualTo(again.names());
  }

  @Test
  @DisplayName("AZ-N49 what pods can use already is in place of none, though it is shown as failed")
  void usable() {
    WritableResource base = base(Form.MACHINE, "failed", List.of(INCOMPLETE));
    assertThat(added(base, adding(AddressSet.of(LEFT), "a", "b"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("AZ-N49 nor is what an interface has that has not failed")
  void notFailed() {
    IpConfiguration updating = configuration("Tidemark-left", "updating");
    WritableResource base = base(Form.MACHINE, "succeeded", List.of(updating));
    assertThat(added(base, adding(AddressSet.of(), "a", "b"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("AZ-B33 for a removal of what is gone nothing is sent to an interface that failed")
  void gone() {
    WritableResource base = base(Form.MACHINE, "failed", List.of(INCOMPLETE));
    assertThat(on(base, ConfigurationEdit.removing(Set.of("gone")))).isEmpty();
  }

  @Test
  @DisplayName("AZ-N16 nothing is added where there is more than we know to fit")
  void overfull() {
    List<IpConfiguration> many =
        IntStream.range(0, 300).mapToObj(i -> configuration("c" + i, "succeeded")).toList();
    WritableResource base = base(Form.MACHINE, "succeeded", many);
    assertThat(
            adding(AddressSet.of(), "a")
                .on(base, base.interfaces().get(0))
                .refusal()
                .orElseThrow()
                .condition())
        .isEqualTo("configurationLimit");
  }

  @Test
  @DisplayName("AZ-B33 a removal is not done while what it removes is shown in any state")
  void stillThere() {
    AzureNetworkInterface seen =
        new AzureNetworkInterface(
            AzureWorld.MACHINE.networkInterface(),
            "eth0",
            "",
            "updating",
            Optional.empty(),
            true,
            "",
            List.of(configuration("a", "updating")));
    assertThat(ConfigurationEdit.removing(Set.of("a")).shows(seen)).isFalse();
    assertThat(ConfigurationEdit.removing(Set.of("b")).shows(seen)).isTrue();
  }
}
