package io.tidemark.daemon.inspect;

import io.tidemark.config.DurationText;
import io.tidemark.daemon.inspect.CheckpointInspection.Circumstances;
import io.tidemark.daemon.inspect.CheckpointInspection.Entry;
import io.tidemark.daemon.inspect.CheckpointInspection.State;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import java.util.ArrayList;
import java.util.List;

/** The actions of a start of {@code ipamd}, in sentences. */
final class Restart {
  private static final String UNLESS_OFF = ", unless cooldown-after-restart is false.";

  private Restart() {}

  static List<String> of(
      FileContent current,
      FileContent previous,
      boolean journal,
      List<Entry> entries,
      List<String> leftovers,
      Circumstances now) {
    List<String> all = new ArrayList<>();
    if (journal) {
      all.add(
          "It folds the journal, which an earlier version left, into the file first. The"
              + " assignments above lack the changes in it.");
    }
    if (current instanceof FileContent.Absent) {
      all.add(
          "It starts without assignments. Addresses that the node has cool as if they were released"
              + " when the machine started"
              + UNLESS_OFF);
    } else if (current instanceof FileContent.Whole readable) {
      taken(all, readable.data(), entries, now);
    } else if (current instanceof FileContent.Unreadable damaged) {
      damaged(all, damaged, previous, now);
    }
    if (!leftovers.isEmpty()) {
      all.add("It removes " + String.join(" and ", leftovers) + ", which a crash left.");
    }
    return all;
  }

  private static void taken(
      List<String> all, CheckpointData data, List<Entry> entries, Circumstances now) {
    String boot = data.extension().map(Extension::bootId).orElse("");
    if (!boot.isEmpty() && !now.bootId().isEmpty() && !boot.equals(now.bootId())) {
      all.add(
          "The machine was started after the file was written, so its assignments, "
              + entries.size()
              + ", are ignored: their pods have ended. Their addresses cool as if they were released"
              + " when the machine started.");
    } else {
      all.add(
          "It takes over the assignments, "
              + count(entries, State.ASSIGNED)
              + "; those whose addresses the node does not have become orphans.");
      add(all, "Duplicates become orphans: ", count(entries, State.DUPLICATE));
      add(
          all,
          "Orphans stay until their addresses come, or EC2 confirms that the node does not have"
              + " them: ",
          count(entries, State.ORPHAN));
    }
    all.add(
        data.extension().isPresent()
            ? "Released addresses cool on."
            : "The file does not say which addresses cool, so all that are free cool for "
                + DurationText.print(now.cooldown())
                + UNLESS_OFF);
  }

  private static void damaged(
      List<String> all, FileContent.Unreadable current, FileContent previous, Circumstances now) {
    if (current.kind() == Kind.CORRUPT && previous instanceof FileContent.Whole used) {
      all.add(
          "It uses the file before the last write, with "
              + used.data().allocations().size()
              + " assignments, and keeps the damaged one.");
      all.add("All free addresses cool for " + DurationText.print(now.cooldown()) + UNLESS_OFF);
    } else {
      all.add(
          "It refuses to start. With allow-data-loss it starts without assignments, and keeps the"
              + " file.");
    }
  }

  private static int count(List<Entry> entries, State state) {
    return (int) entries.stream().filter(each -> each.state() == state).count();
  }

  private static void add(List<String> all, String what, int count) {
    if (count > 0) {
      all.add(what + count + ".");
    }
  }
}
