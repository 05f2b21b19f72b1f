package io.tidemark.emulator.arm.scenario;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.emulator.kit.scenario.Names;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.emulator.kit.scenario.Texts;
import java.time.Duration;

/** Reads how the emulated Azure behaves. Pure. */
final class ArmOptionsReader {
  private static final String DELAY = "a duration such as 500ms or 1m30s, or a range 1s..5s";

  private ArmOptionsReader() {}

  static ModelOptions read(Section root) {
    long seed = root.value("seed", 1L, "a whole number", Texts::number);
    ModelOptions.Builder options =
        ModelOptions.builder(seed).throttling(root.flag("throttling", true));
    return root.section("behaviour", section -> behaviour(section, options));
  }

  private static ModelOptions behaviour(Section section, ModelOptions.Builder options) {
    ModelOptions usual = options.build();
    options
        .latency(delay(section, "latency", usual.latency()))
        .operation(delay(section, "operation", usual.operation()))
        .operationPolls(section.number("operation-polls", 0, 0, 1_000))
        .operationExpiry(fixed(section, "operation-expiry", usual.operationExpiry()))
        .announcement(
            section.value(
                "announcement",
                usual.announcement(),
                "one of " + Names.all(ModelOptions.Announcement.values()),
                Names.in(ModelOptions.Announcement.values())))
        .busy(
            section.value(
                "busy",
                usual.busy(),
                "one of " + Names.all(ModelOptions.Busy.values()),
                Names.in(ModelOptions.Busy.values())))
        .listLag(delay(section, "list-lag", usual.listLag()))
        .macDelay(delay(section, "mac-delay", usual.macDelay()))
        .reuseDelay(fixed(section, "reuse-delay", usual.reuseDelay()))
        .blockForm(
            section.value(
                "block-form",
                usual.blockForm(),
                "one of " + Names.all(BlockForm.values()),
                Names.in(BlockForm.values())))
        .pageSize(section.number("page-size", usual.pageSize(), 1, 1_000))
        .tokenLife(fixed(section, "token-life", usual.tokenLife()));
    if (options.build().operationPolls() > 0
        && options.build().announcement() == ModelOptions.Announcement.NONE) {
      section.problem(
          "operation-polls",
          "ends an operation at a poll, which announcement: none leaves nobody to send",
          "Leave one of the two out.");
    }
    Duration retryAfter = fixed(section, "retry-after", Duration.ZERO);
    return retryAfter.isZero() ? options.build() : options.retryAfter(retryAfter).build();
  }

  private static DelayRange delay(Section section, String key, DelayRange otherwise) {
    return section.value(key, otherwise, DELAY, Texts::range);
  }

  private static Duration fixed(Section section, String key, Duration otherwise) {
    return section.value(
        key,
        otherwise,
        "a duration such as 500ms or 1m30s",
        text ->
            Texts.range(text)
                .filter(range -> range.least().equals(range.most()))
                .map(DelayRange::least));
  }
}
