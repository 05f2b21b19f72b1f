package io.tidemark.provider.aws.eni;

/**
 * Optional behaviour of the provider, off by default.
 *
 * @param releaseInterfaces whether interfaces without addresses for pods are detached and deleted
 *     (3.4)
 * @param roleTags the tags of Amazon's own plugin choose subnets, too (2.3 S6)
 * @param manageForeign whether interfaces that we did not create serve pods (16)
 * @param reconcileGroups security groups of our interfaces follow the settings (16)
 * @param retireSubnets interfaces of ours get no more addresses, and are emptied, once their subnet
 *     is not selected any more (12)
 * @param copyTracking new interfaces remember idle connections as long as the instance's own (16)
 */
public record EniOptions(
    boolean releaseInterfaces,
    boolean roleTags,
    boolean manageForeign,
    boolean reconcileGroups,
    boolean retireSubnets,
    boolean copyTracking) {
  /** No optional behaviour. */
  public static final EniOptions NONE = new EniOptions(false, false, true, false, false, false);
}
