export default
