package io.tidemark.cluster;

/** How one change of a claim ended. */
public sealed interface ClaimChange {
  /** The claim is as was wanted. */
  record Stored(Claim claim) implements ClaimChange {}

  /**
   * A creation changed nothing: there is a claim of that name. It may be that of an earlier request
   * of the same creation whose answer was lost.
   */
  record Exists() implements ClaimChange {}

  /** There is no such claim any more: it was deleted, by this request or before. */
  record Gone() implements ClaimChange {}

  /** Nothing changed: the claim has another version, or another one has its name. */
  record Conflict() implements ClaimChange {}

  /** Nothing changed: a permission is missing, or the backend refuses the content. */
  record Refused(String detail) implements ClaimChange {}

  /**
   * Nothing changed: the backend takes no request of ours at present, or this process is not the
   * leader. The same request can be sent again after a pause.
   */
  record AskedToWait(String detail) implements ClaimChange {}

  /**
   * There is no usable answer: the change may have taken effect, or may do so later. Send the same
   * change again until the answer is another one.
   */
  record Unknown(String detail) implements ClaimChange {}
}
